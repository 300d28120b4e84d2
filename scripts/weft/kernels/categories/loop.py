"""Loops: sums over rows, recurrences, series."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "a loop in each thread: sums, filters, windows, iterations, while, break and continue"

IDIOMS = idioms(*NUMERIC, teaching="loop")
