"""The domains of numbers: what the categories of arithmetic, conditions and loops choose from."""

from weft.kernels.domains.astronomy import orbit
from weft.kernels.domains.bodies import body
from weft.kernels.domains.bonds import bond
from weft.kernels.domains.cameras import observation
from weft.kernels.domains.fluid import fluid
from weft.kernels.domains.geometry import box, triangle
from weft.kernels.domains.integers import integer
from weft.kernels.domains.joints import joint
from weft.kernels.domains.matrices import matrix
from weft.kernels.domains.neural import sample, unit
from weft.kernels.domains.options import option
from weft.kernels.domains.particles import particles
from weft.kernels.domains.rays import ray, solid
from weft.kernels.domains.rows import row
from weft.kernels.domains.sensors import sensor
from weft.kernels.domains.sound import frame
from weft.kernels.domains.special import number
from weft.kernels.domains.training import step, weight

NUMERIC = (
    body,
    bond,
    box,
    fluid,
    frame,
    integer,
    joint,
    matrix,
    number,
    observation,
    option,
    orbit,
    particles,
    ray,
    row,
    sample,
    sensor,
    solid,
    step,
    triangle,
    unit,
    weight,
)
