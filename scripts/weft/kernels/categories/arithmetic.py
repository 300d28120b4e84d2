"""Elementwise arithmetic: one formula of a field for each element."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing"

IDIOMS = idioms(*NUMERIC)
