"""Many numbers become one: serially per row, by the threads of a block, or by atomics."""

from weft.kernels.idioms.reduction.blocks import block_tree, strided_atomics, tile_summary
from weft.kernels.idioms.reduction.extremes import packed_extreme, place_of_extreme
from weft.kernels.idioms.reduction.folds import compensated_sum, log_sum_exp, moments, row_fold
from weft.kernels.idioms.reduction.vectors import vector_measures

REVISION = 4
TEACHES = (
    "reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments"
)

IDIOMS = (
    row_fold,
    block_tree,
    tile_summary,
    place_of_extreme,
    packed_extreme,
    vector_measures,
    compensated_sum,
    moments,
    log_sum_exp,
    strided_atomics,
)
