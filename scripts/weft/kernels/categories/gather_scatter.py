"""Reads and writes through indices: graphs, lists of elements, members of groups, gathers and scatters."""

from weft.kernels.domains.edges import edge
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.spatial import SHAPES
from weft.kernels.endings import Style
from weft.kernels.goals import idioms
from weft.kernels.indirect import in_order, of_listed, over_members

REVISION = 7
TEACHES = "indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes"

THROUGH_INDICES = Style(endings=(of_listed, in_order, over_members))

IDIOMS = (
    *idioms(graph, edge),
    *idioms(graph, *SHAPES, *NUMERIC, style=THROUGH_INDICES)[::6],
)
