"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block.
"""

import warp as wp


@wp.kernel
def matrix_product(
    a: wp.array2d(dtype=wp.float32),
    b: wp.array2d(dtype=wp.float32),
    given: wp.array2d(dtype=wp.float32),
    factor: float,
    outputs: wp.array2d(dtype=wp.float32),
):
    """Product of the transpose of a matrix and another, 16 by 8 elements a tile. It is added to
    what is given. The block's smallest value is subtracted from the output. The result is
    multiplied by factor."""
    row, column = wp.tid()
    acc = wp.tile_load(given, shape=(16, 8), offset=(row * 16, column * 8))
    for k in range(3):
        a_tile = wp.tile_load(a, shape=(4, 16), offset=(k * 4, row * 16))
        b_tile = wp.tile_load(b, shape=(4, 8), offset=(k * 4, column * 8))
        wp.tile_matmul(wp.tile_transpose(a_tile), b_tile, acc)
    smallest_of_block = wp.tile_min(acc)
    relative_tile = (
        acc - wp.tile_broadcast(wp.tile_reshape(smallest_of_block, shape=(1, 1)), shape=(16, 8))
    )
    scaled = factor * relative_tile
    wp.tile_store(outputs, scaled, offset=(row * 16, column * 8))


LAUNCH = {
    "matrix_product": {
        "sizes": {"row_tiles": "(n + 63) // 64", "column_tiles": "3", "inner_tiles": "3"},
        "difficulty": "hard",
        "dims": ["row_tiles", "column_tiles"],
        "block_dim": 128,
        "parameters": {
            "a": {"role": "in", "shape": ["4 * inner_tiles", "16 * row_tiles"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["4 * inner_tiles", "8 * column_tiles"], "values": {"uniform": [-1.0, 1.0]}},
            "given": {"role": "in", "shape": ["16 * row_tiles", "8 * column_tiles"], "values": {"uniform": [-1.0, 1.0]}},
            "factor": {"values": {"uniform": [0.3, 2.5]}},
            "outputs": {"role": "out", "shape": ["16 * row_tiles", "8 * column_tiles"]},
        },
    },
}
