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
    complex_product,
    gram_matrix,
    kernel_matrix,
    layer_product,
    scaled_product,
)
from weft.kernels.idioms.shared_tile.rows import normalized_rows
from weft.kernels.idioms.shared_tile.sorts import scanned_rows, sorted_rows
from weft.kernels.idioms.shared_tile.squares import small_matrices
from weft.kernels.idioms.shared_tile.turns import transposition

REVISION = 7
TEACHES = "tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts, transposition"

HALOS = Style(only={in_halo_tiles: 1.0}, fits=lambda goal: any(one.array for one in goal.arguments))
GRIDS = idioms(*(one.of_rank(2) for one in (fields, flows, phases)), terrain, lattices, images, style=HALOS)
PURPOSEFUL = {
    layer_product: 18,
    normalized_rows: 18,
    interactions: 11,
    attention: 5,
    scaled_product: 4,
    kernel_matrix: 4,
    sorted_rows: 4,
    small_matrices: 4,
    transposition: 3,
    scanned_rows: 3,
    gram_matrix: 2,
    rotary_embedding: 1,
    complex_product: 1,
}
IDIOMS = (*GRIDS, *(one for one, share in PURPOSEFUL.items() for _ in range(share * len(GRIDS) // 28)))
