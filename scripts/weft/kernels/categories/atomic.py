"""Threads that meet in one place: sums, counts and extremes by atomics.

Floats that are added are whole numbers, so that every order of the threads gives the same sum.
"""

from weft.kernels.idioms.atomic.deposits import edge_flow, splat_to_grid
from weft.kernels.idioms.atomic.extremes import bounding_box, group_extremes, running_extent
from weft.kernels.idioms.atomic.flags import shared_masks, touched_cells
from weft.kernels.idioms.atomic.totals import confusion_matrix, grand_total, histogram, segment_sum

REVISION = 8
TEACHES = "atomic adds, subtractions, minima and maxima into shared places"

IDIOMS = (
    histogram,
    grand_total,
    segment_sum,
    group_extremes,
    edge_flow,
    splat_to_grid,
    bounding_box,
    running_extent,
    confusion_matrix,
    shared_masks,
    touched_cells,
)
