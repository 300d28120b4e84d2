"""Prefix sums and their relatives: what one thread carries along a line, and steps of parallel scans."""

from weft.kernels.domains.edges import edge
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.endings import Style
from weft.kernels.goals import idioms
from weft.kernels.idioms.scan.recurrences import RECURRENCES
from weft.kernels.idioms.scan.steps import STEPS
from weft.kernels.scanning import in_stretches, offsets_in_blocks, packed_in_blocks

REVISION = 5
TEACHES = "scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction"

SCANNED = Style(endings=(in_stretches, offsets_in_blocks, packed_in_blocks))

IDIOMS = (
    *RECURRENCES,
    *STEPS,
    *idioms(edge, graph, *NUMERIC, style=SCANNED)[::8],
)
