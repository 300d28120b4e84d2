"""The domains of numbers: what the categories of arithmetic, conditions and loops choose from."""

from weft.kernels.domains.bodies import body
from weft.kernels.domains.cameras import observation
from weft.kernels.domains.fluid import fluid
from weft.kernels.domains.geometry import box, triangle
from weft.kernels.domains.neural import sample, unit
from weft.kernels.domains.particles import particles
from weft.kernels.domains.rays import ray
from weft.kernels.domains.rows import row
from weft.kernels.domains.training import step, weight

NUMERIC = (body, box, fluid, observation, particles, ray, row, sample, step, triangle, unit, weight)
