"""Loops that end when they are done: searches, iterations, early exits."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "early returns, break, continue, while loops and guards"

IDIOMS = idioms(*NUMERIC, teaching="iteration")
