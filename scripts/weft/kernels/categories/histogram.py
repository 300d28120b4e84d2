"""Counting into bins: by value, digit, place, direction, colour or pattern, and what counts are for."""

from weft.kernels.counting import (
    counted,
    counted_by_blocks,
    counted_in_groups,
    placed,
    ranked,
    read_off,
    weighted,
)
from weft.kernels.domains.bins import samples
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.spatial import GRIDS
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 8
TEACHES = "histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups"

IN_BINS = Style(
    endings=(
        counted,
        counted_in_groups,
        counted_by_blocks,
        weighted,
        placed,
        ranked,
        read_off,
    )
)
OTHERS = (graph, *GRIDS, *NUMERIC)

IDIOMS = (
    *idioms(*[samples] * 2, style=IN_BINS),
    *idioms(*OTHERS, style=IN_BINS),
)
