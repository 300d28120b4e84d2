"""Counting into bins: by value, digit, place, direction, colour or pattern, and what counts are for."""

from weft.kernels.counting import (
    counted,
    counted_by_blocks,
    counted_in_groups,
    placed,
    ranked,
    read_off,
    softly,
    weighted,
)
from weft.kernels.domains.bins import samples
from weft.kernels.domains.edges import edge
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.neural import unit
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.spatial import GRIDS, SHAPES
from weft.kernels.domains.special import number
from weft.kernels.domains.training import step
from weft.kernels.domains.views import views
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 7
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
OTHERS = (edge, graph, *SHAPES, *GRIDS, *NUMERIC)
SHARED_BETWEEN_BINS = Style(endings=(softly,))
SMOOTH = [one for one in OTHERS if one not in (number, step, unit, views)]

IDIOMS = (
    *idioms(*[samples] * 2, style=IN_BINS),
    *idioms(*OTHERS, style=IN_BINS),
    *idioms(*SMOOTH, style=SHARED_BETWEEN_BINS)[::2],
)
