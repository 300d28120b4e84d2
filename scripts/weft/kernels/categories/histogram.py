"""Counting into bins: by value, digit, place, direction, colour or pattern, and what counts are for."""

from weft.kernels.counting import (
    counted,
    counted_by_blocks,
    counted_by_threads,
    counted_in_groups,
    placed,
    ranked,
    read_off,
    softly,
    weighted,
)
from weft.kernels.domains.bins import samples
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.images import images
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.particles import particles
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "histograms: bins of many kinds, weights, shared and private copies, counting sorts, lookups"

IN_BINS = Style(
    endings=(
        counted,
        counted_in_groups,
        counted_by_blocks,
        counted_by_threads,
        weighted,
        placed,
        ranked,
        read_off,
    )
)
COUNTED = (graph, images, *NUMERIC)
SHARED_BETWEEN_BINS = Style(endings=(softly,))

IDIOMS = (
    *idioms(*[samples] * 3, style=IN_BINS),
    *idioms(*COUNTED, style=IN_BINS),
    *idioms(graph, particles, *NUMERIC, style=SHARED_BETWEEN_BINS)[::4],
)
