"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block.
"""

import warp as wp


@wp.kernel
def matrix_product(
    a: wp.array2d(dtype=wp.float32),
    b: wp.array2d(dtype=wp.float32),
    given: wp.array2d(dtype=wp.float32),
    bias_fields: wp.array2d(dtype=wp.float32),
    peaks: wp.array2d(dtype=wp.int32),
    out_squared_product: wp.array2d(dtype=wp.float32),
    out_product: wp.array2d(dtype=wp.float32),
):
    """Product of a matrix and the transpose of another, 16 by 16 elements a tile. It is added to
    what is given. Of the entries of the first matrix, the magnitudes count. The bias field is added
    to the product. The place of the largest value in each tile is stored as well. The square is
    stored as well."""
    by, bx = wp.tid()
    acc = wp.tile_load(given, shape=(16, 16), offset=(by * 16, bx * 16))
    for t in range(3):
        a_tile = wp.tile_load(a, shape=(16, 4), offset=(by * 16, t * 4))
        b_tile = wp.tile_load(b, shape=(16, 4), offset=(bx * 16, t * 4))
        magnitudes = wp.tile_map(wp.abs, a_tile)
        wp.tile_matmul(magnitudes, wp.tile_transpose(b_tile), acc)
    bias_field = wp.tile_load(bias_fields, shape=(16, 16), offset=(by * 16, bx * 16))
    product_tile = bias_field + acc
    wp.tile_store(peaks[by], wp.tile_argmax(product_tile), offset=bx)
    result = product_tile * product_tile
    wp.tile_store(out_squared_product, result, offset=(by * 16, bx * 16))
    wp.tile_store(out_product, product_tile, offset=(by * 16, bx * 16))


LAUNCH = {
    "matrix_product": {
        "sizes": {"tile_rows": "min((n + 15) // 16, 20)", "tile_columns": "4", "inner_tiles": "3"},
        "difficulty": "expert",
        "dims": ["tile_rows", "tile_columns"],
        "block_dim": 64,
        "parameters": {
            "a": {"role": "in", "shape": ["16 * tile_rows", "4 * inner_tiles"], "values": {"integers": [-4, 5]}},
            "b": {"role": "in", "shape": ["16 * tile_columns", "4 * inner_tiles"], "values": {"integers": [-4, 5]}},
            "given": {"role": "in", "shape": ["16 * tile_rows", "16 * tile_columns"], "values": {"integers": [-4, 5]}},
            "bias_fields": {"role": "in", "shape": ["16 * tile_rows", "16 * tile_columns"], "values": {"integers": [-8, 9]}},
            "peaks": {"role": "out", "shape": ["tile_rows", "tile_columns"]},
            "out_squared_product": {"role": "out", "shape": ["16 * tile_rows", "16 * tile_columns"]},
            "out_product": {"role": "out", "shape": ["16 * tile_rows", "16 * tile_columns"]},
        },
    },
}
