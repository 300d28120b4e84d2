"""Reads and writes through indices: graphs, bones, meshes, gathers and scatters."""

from weft.kernels.domains.elements import conductor, element
from weft.kernels.domains.graphs import graph
from weft.kernels.domains.skins import skin
from weft.kernels.domains.springs import spring
from weft.kernels.endings import Style, largest_by_blocks, launched, per_element, scattered, total_by_blocks
from weft.kernels.goals import idioms

REVISION = 8
TEACHES = "indirect access: graphs in CSR, bones of a skin, nodes of a mesh"

OF_GRAPHS = Style(endings=(per_element, launched, scattered, total_by_blocks, largest_by_blocks))
OF_MESHES = Style(endings=(scattered,))

IDIOMS = (
    *idioms(graph, skin, teaching="gather", style=OF_GRAPHS),
    *idioms(conductor, element, spring, style=OF_MESHES),
)
