"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block.
"""

import warp as wp


@wp.kernel
def matrix_vector(
    weights: wp.array2d(dtype=wp.float32),
    vector: wp.array(dtype=wp.float32),
    residual: wp.array(dtype=wp.float32),
    result: wp.array(dtype=wp.float32),
):
    """A matrix times a vector, 16 rows a block, 16 columns. The product is subtracted from what is
    given."""
    p = wp.tid()
    total = wp.tile_zeros(shape=(16, 1), dtype=float)
    panel_tile = wp.tile_load(weights, shape=(16, 16), offset=(p * 16, 0))
    piece = wp.tile_load(vector, shape=16)
    wp.tile_matmul(panel_tile, wp.tile_reshape(piece, shape=(16, 1)), total)
    extra = wp.tile_load(residual, shape=16, offset=p * 16)
    result_tile = extra - wp.tile_reshape(total, shape=(16,))
    wp.tile_store(result, result_tile, offset=p * 16)


LAUNCH = {
    "matrix_vector": {
        "sizes": {"panels": "min(n, 100)"},
        "difficulty": "medium",
        "dims": ["panels"],
        "block_dim": 32,
        "parameters": {
            "weights": {"role": "in", "shape": ["16 * panels", "16"], "values": {"integers": [-5, 6]}},
            "vector": {"role": "in", "shape": ["16"], "values": {"integers": [-5, 6]}},
            "residual": {"role": "in", "shape": ["16 * panels"], "values": {"integers": [-5, 6]}},
            "result": {"role": "out", "shape": ["16 * panels"]},
        },
    },
}
