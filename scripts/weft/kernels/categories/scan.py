"""Prefix sums and their relatives: serially along rows, and step by step as parallel scans do."""

from weft.kernels.idioms.scan.rows import prefix_row, recurrence, running_record, segmented_row
from weft.kernels.idioms.scan.sampling import alias_sampling, inverse_sampling
from weft.kernels.idioms.scan.steps import block_offsets, doubling_step, tree_sweep
from weft.kernels.idioms.scan.uses import compaction

REVISION = 4
TEACHES = "scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction"

IDIOMS = (
    prefix_row,
    doubling_step,
    tree_sweep,
    segmented_row,
    compaction,
    running_record,
    recurrence,
    block_offsets,
    inverse_sampling,
    alias_sampling,
)
