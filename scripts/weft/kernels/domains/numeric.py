"""The domains of numbers: what the categories of arithmetic, conditions and loops choose from."""

from weft.kernels.domains.astronomy import orbit, star
from weft.kernels.domains.bonds import bond
from weft.kernels.domains.chemistry import mixture
from weft.kernels.domains.ecology import patch, region
from weft.kernels.domains.fluid import fluid
from weft.kernels.domains.integers import integer
from weft.kernels.domains.matrices import matrix
from weft.kernels.domains.neural import sample, unit
from weft.kernels.domains.optics import ray
from weft.kernels.domains.options import option
from weft.kernels.domains.prices import asset
from weft.kernels.domains.rows import row
from weft.kernels.domains.sound import frame
from weft.kernels.domains.special import number
from weft.kernels.domains.statistics import observation
from weft.kernels.domains.training import step, weight
from weft.kernels.domains.weather import station

NUMERIC = (
    asset,
    bond,
    fluid,
    frame,
    integer,
    matrix,
    mixture,
    number,
    observation,
    option,
    orbit,
    patch,
    ray,
    region,
    row,
    sample,
    star,
    station,
    step,
    unit,
    weight,
)
