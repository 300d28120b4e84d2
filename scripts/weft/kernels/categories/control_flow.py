"""Loops that end when they are done: searches, iterations, early exits."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 8
TEACHES = "early returns, break, continue, while loops and guards"

IDIOMS = idioms(*EVERYTHING, teaching="iteration", style=Style(seeks=True))
