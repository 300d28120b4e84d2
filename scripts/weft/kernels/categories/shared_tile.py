"""Tiles: blocks load pieces of arrays into shared memory, work on them together, and store the result."""

from weft.kernels.idioms.shared_tile.exchanges import neighbor_exchange
from weft.kernels.idioms.shared_tile.halos import halo_stencil
from weft.kernels.idioms.shared_tile.maps import fused_map, pairwise_table
from weft.kernels.idioms.shared_tile.products import matrix_product, matrix_vector
from weft.kernels.idioms.shared_tile.rows import axis_totals, normalized_rows
from weft.kernels.idioms.shared_tile.turns import transposition

REVISION = 6
TEACHES = "tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block"

IDIOMS = (
    matrix_product,
    transposition,
    normalized_rows,
    axis_totals,
    halo_stencil,
    pairwise_table,
    matrix_vector,
    fused_map,
    neighbor_exchange,
)
