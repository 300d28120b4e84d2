"""Tiles: blocks load pieces of arrays into shared memory, work on them together, and store the result."""

from weft.kernels.block_endings import in_halo_tiles
from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.images import images
from weft.kernels.domains.lattices import lattices
from weft.kernels.domains.phases import phases
from weft.kernels.domains.terrain import terrain
from weft.kernels.endings import Style
from weft.kernels.goals import idioms
from weft.kernels.idioms.shared_tile.pairs import interactions
from weft.kernels.idioms.shared_tile.products import (
    gram_matrix,
    kernel_matrix,
    layer_product,
    scaled_product,
    thread_product,
)
from weft.kernels.idioms.shared_tile.rows import normalized_rows

REVISION = 8
TEACHES = "tiles in shared memory: products, normalized rows, halos, all pairs"

HALOS = Style((in_halo_tiles,))
GRIDS = idioms(*(one.of_rank(2) for one in (fields, flows, phases)), terrain, lattices, images, style=HALOS)
PURPOSEFUL = {
    layer_product: 20,
    thread_product: 4,
    normalized_rows: 14,
    interactions: 8,
    scaled_product: 3,
    kernel_matrix: 3,
    gram_matrix: 1,
}
IDIOMS = (*GRIDS, *(one for one, share in PURPOSEFUL.items() for _ in range(share * len(GRIDS) // 31)))
