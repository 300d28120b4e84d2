"""Particles: fluids as particles, forces and motion of particles, and what they add to grids."""

from weft.kernels.domains.fluid import fluid
from weft.kernels.domains.particles import deposit, particles
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "particles: time steps, walls, forces of neighbors, smoothing kernels, cells, deposits, flocks"

IDIOMS = (*idioms(fluid, particles), *[deposit] * 12)
