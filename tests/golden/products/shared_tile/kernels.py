"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block.
"""

import warp as wp


@wp.kernel
def matrix_vector(
    weights: wp.array2d(dtype=wp.float32),
    vector: wp.array(dtype=wp.float32),
    bias_fields: wp.array(dtype=wp.float32),
    valleys: wp.array(dtype=wp.int32),
    out_output: wp.array(dtype=wp.float32),
):
    """A matrix times a vector, 4 rows a block, 32 columns. The bias field is added to the output.
    Each block stores the place of the smallest value in its tile as well."""
    panel = wp.tid()
    panel_tile = wp.tile_load(weights, shape=(4, 32), offset=(panel * 4, 0))
    piece = wp.tile_load(vector, shape=32)
    product = wp.tile_reduce(
        wp.add,
        panel_tile * wp.tile_broadcast(wp.tile_reshape(piece, shape=(1, 32)), shape=(4, 32)),
        axis=1,
    )
    bias_field = wp.tile_load(bias_fields, shape=4, offset=panel * 4)
    added = bias_field + product
    result = wp.tile_argmin(added)
    wp.tile_store(valleys, result, offset=panel)
    wp.tile_store(out_output, added, offset=panel * 4)


LAUNCH = {
    "matrix_vector": {
        "sizes": {"panels": "(n + 63) // 64"},
        "difficulty": "medium",
        "dims": ["panels"],
        "block_dim": 32,
        "parameters": {
            "weights": {"role": "in", "shape": ["4 * panels", "32"], "values": {"integers": [-5, 6]}},
            "vector": {"role": "in", "shape": ["32"], "values": {"integers": [-5, 6]}},
            "bias_fields": {"role": "in", "shape": ["4 * panels"], "values": {"integers": [-8, 9]}},
            "valleys": {"role": "out", "shape": ["panels"]},
            "out_output": {"role": "out", "shape": ["4 * panels"]},
        },
    },
}
