"""Reads and writes through indices: graphs, lists of elements, members of groups, gathers and scatters."""

from weft.kernels.domains.graphs import graph
from weft.kernels.endings import Style, largest_by_blocks, launched, per_element, total_by_blocks
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes"

OF_GRAPHS = Style(endings=(per_element, launched, total_by_blocks, largest_by_blocks))

IDIOMS = idioms(graph, teaching="gather", style=OF_GRAPHS)
