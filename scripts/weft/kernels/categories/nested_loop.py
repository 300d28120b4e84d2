"""Loops within loops: distances to tables, attention, pairs, small matrices."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 8
TEACHES = "nested loops: windows, matrix products, pairwise interactions"
ALIASES = ("nested",)

IDIOMS = idioms(*EVERYTHING, teaching="nested loop", style=Style(seeks=True))
