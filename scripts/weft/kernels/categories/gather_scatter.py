"""Reads and writes through indices: graphs, lists of elements, members of groups, gathers and scatters."""

from weft.kernels.domains.edges import at_nodes, edge
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.endings import Style, largest_by_blocks, launched, per_element, total_by_blocks
from weft.kernels.goals import idioms
from weft.kernels.indirect import of_listed, over_members

REVISION = 7
TEACHES = "indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes"

OF_GRAPHS = Style(endings=(per_element, launched, at_nodes, total_by_blocks, largest_by_blocks))
THROUGH_INDICES = Style(endings=(of_listed, over_members))

IDIOMS = (
    *idioms(graph, edge, teaching="gather", style=OF_GRAPHS),
    *idioms(graph, *NUMERIC, style=THROUGH_INDICES)[::6],
)
