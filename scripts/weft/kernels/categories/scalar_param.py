"""Numbers that the caller passes: coefficients, rates, limits."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "scalar parameters of several types beside arrays: rates, limits, modes, strides"

IDIOMS = idioms(*EVERYTHING, teaching="parameters")
