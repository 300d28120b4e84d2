"""Exponentials, logarithms, roots, trigonometric and special functions."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation"

IDIOMS = idioms(*EVERYTHING, teaching="transcendental")
