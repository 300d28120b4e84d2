"""Particles: fluids as particles and their motion."""

from weft.kernels.composition import idioms
from weft.kernels.domains.fluid import fluid

REVISION = 5
TEACHES = "particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks"

IDIOMS = idioms(fluid)
