"""Loops within loops: distances to tables, attention, pairs, small matrices."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "nested loops: windows, matrix products, pairwise interactions"
ALIASES = ("nested",)

IDIOMS = idioms(*NUMERIC, teaching="nested loop")
