"""The domains of numbers: what the categories of arithmetic, conditions and loops choose from."""

from weft.kernels.domains.bonds import bond
from weft.kernels.domains.fluid import fluid
from weft.kernels.domains.neural import sample, unit
from weft.kernels.domains.options import option
from weft.kernels.domains.prices import asset
from weft.kernels.domains.rows import row
from weft.kernels.domains.training import step, weight

NUMERIC = (asset, bond, fluid, option, row, sample, step, unit, weight)
