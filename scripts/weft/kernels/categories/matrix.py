"""Small matrices: linear systems and decompositions, filters of tracks, inertia and turns of bodies."""

from weft.kernels.domains.systems import system, track
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters"

IDIOMS = idioms(system, track)
