"""Particles: fluids as particles and their motion."""

from weft.kernels.domains.fluid import fluid
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks"

IDIOMS = idioms(fluid)
