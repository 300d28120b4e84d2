"""Threads that meet in one place: totals and extremes of all elements and of groups, bitmaps, trees."""

from weft.kernels.domains.graphs import graph
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.endings import Style, extremes_of_groups, total_by_atomics, totals_of_groups
from weft.kernels.goals import idioms
from weft.kernels.idioms.atomic.flags import FLAGS

REVISION = 10
TEACHES = "atomic adds, extremes and bitwise joins into shared places"

TOGETHER = Style(endings=(total_by_atomics, totals_of_groups, extremes_of_groups))

IDIOMS = (
    *[one for one in FLAGS for _ in range(8)],
    *idioms(graph, *NUMERIC, style=TOGETHER),
)
