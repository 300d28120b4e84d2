"""Particles: fluids, forces between particles, charges in fields, flocks, grains, grids of particles."""

from weft.kernels.domains.fluid import fluid
from weft.kernels.domains.particles import particles
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "particles: smoothed hydrodynamics, pair forces, time steps, walls, cells, flocks, fields"

IDIOMS = idioms(fluid, particles)
