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
from weft.kernels.idioms.shared_tile.attention import attention, rotary_embedding
from weft.kernels.idioms.shared_tile.pairs import interactions
from weft.kernels.idioms.shared_tile.products import (
    gram_matrix,
    kernel_matrix,
    layer_product,
    scaled_product,
    thread_product,
)
from weft.kernels.idioms.shared_tile.rows import normalized_rows
from weft.kernels.idioms.shared_tile.sorts import scanned_rows, sorted_rows
from weft.kernels.idioms.shared_tile.turns import transposition

REVISION = 7
TEACHES = "tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts"

HALOS = Style((in_halo_tiles,))
GRIDS = idioms(*(one.of_rank(2) for one in (fields, flows, phases)), terrain, lattices, images, style=HALOS)
PURPOSEFUL = {
    layer_product: 20,
    thread_product: 4,
    normalized_rows: 14,
    interactions: 8,
    attention: 3,
    scaled_product: 3,
    kernel_matrix: 3,
    sorted_rows: 3,
    transposition: 2,
    scanned_rows: 2,
    gram_matrix: 1,
    rotary_embedding: 1,
}
IDIOMS = (*GRIDS, *(one for one, share in PURPOSEFUL.items() for _ in range(share * len(GRIDS) // 31)))
