"""Many numbers become one: by the threads of a block, by atomics, by strides, or in a thread for each row."""

from weft.kernels.block_endings import total_by_strides
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.rows import row
from weft.kernels.endings import Style, largest_by_blocks, total_by_atomics, total_by_blocks, totals_of_groups
from weft.kernels.goals import idioms
from weft.kernels.idioms.reduction.joined import (
    compensated_rows,
    place_of_extreme,
    row_losses,
    summaries,
)
from weft.kernels.idioms.reduction.rows import row_statistic

REVISION = 6
TEACHES = "reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments"

TOTALS = Style((total_by_blocks, total_by_strides, total_by_atomics, totals_of_groups))
EXTREMES = Style((largest_by_blocks,))
COMPOSED = (
    *idioms(*NUMERIC, style=TOTALS),
    *idioms(*NUMERIC, style=EXTREMES),
    *idioms(row),
)
PURPOSEFUL = {
    row_statistic: 36,
    row_losses: 5,
    place_of_extreme: 4,
    summaries: 4,
    compensated_rows: 2,
}
IDIOMS = (*COMPOSED, *(one for one, share in PURPOSEFUL.items() for _ in range(share * len(COMPOSED) // 130)))
