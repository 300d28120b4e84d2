"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block.
"""

import warp as wp


@wp.kernel
def matrix_product(
    a: wp.array2d(dtype=wp.float32),
    b: wp.array2d(dtype=wp.float32),
    given: wp.array2d(dtype=wp.float32),
    products: wp.array2d(dtype=wp.float32),
):
    """Product of a matrix and the transpose of another, 8 by 16 elements a block. It is added to
    what is given. Of the product, the tanh is taken."""
    by, bx = wp.tid()
    total = wp.tile_load(given, shape=(8, 16), offset=(by * 8, bx * 16))
    for k in range(3):
        a_tile = wp.tile_load(a, shape=(8, 8), offset=(by * 8, k * 8))
        b_tile = wp.tile_load(b, shape=(16, 8), offset=(bx * 16, k * 8))
        total += wp.tile_matmul(a_tile, wp.tile_transpose(b_tile))
    result = wp.tile_map(wp.tanh, total)
    wp.tile_store(products, result, offset=(by * 8, bx * 16))


LAUNCH = {
    "matrix_product": {
        "sizes": {"tile_rows": "(n + 63) // 64", "tile_columns": "4", "inner_tiles": "3"},
        "difficulty": "medium",
        "dims": ["tile_rows", "tile_columns"],
        "block_dim": 64,
        "parameters": {
            "a": {"role": "in", "shape": ["8 * tile_rows", "8 * inner_tiles"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["16 * tile_columns", "8 * inner_tiles"], "values": {"uniform": [-1.0, 1.0]}},
            "given": {"role": "in", "shape": ["8 * tile_rows", "16 * tile_columns"], "values": {"uniform": [-1.0, 1.0]}},
            "products": {"role": "out", "shape": ["8 * tile_rows", "16 * tile_columns"]},
        },
    },
}
