"""Exponentials, logarithms, roots, trigonometric and special functions."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation"

IDIOMS = idioms(*NUMERIC, teaching="transcendental")
