"""Loops: sums over rows, recurrences, series."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "a loop in each thread: sums, filters, windows, iterations, while, break and continue"

IDIOMS = idioms(*EVERYTHING, teaching="loop")
