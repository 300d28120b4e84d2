"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block.
"""

import warp as wp


@wp.kernel
def halo_stencil(
    image: wp.array2d(dtype=wp.float32),
    importances: wp.array2d(dtype=wp.float32),
    block_maximums: wp.array2d(dtype=wp.float32),
    updates: wp.array2d(dtype=wp.float32),
    strength: float,
):
    """The largest value around each place, in two dimensions, 4 neighbors, 1 away. The result is
    multiplied by strength. The update is multiplied by the importance. Each block stores the
    largest value of the result as well."""
    row, column = wp.tid()
    padded = wp.tile_load(image, shape=(10, 10), offset=(row * 8, column * 8))
    corner = wp.tile_view(padded, offset=(0, 0), shape=(8, 8))
    other_corner = wp.tile_view(padded, offset=(0, 2), shape=(8, 8))
    own_corner = wp.tile_view(padded, offset=(2, 0), shape=(8, 8))
    second_corner = wp.tile_view(padded, offset=(2, 2), shape=(8, 8))
    extreme = wp.tile_map(wp.max, wp.tile_map(wp.max, corner, other_corner), own_corner)
    other_extreme = wp.tile_map(wp.max, extreme, second_corner)
    importance = wp.tile_load(importances, shape=(8, 8), offset=(row * 8, column * 8))
    weighted = (
        strength
        * wp.tile_map(wp.max, other_extreme, wp.tile_view(padded, offset=(1, 1), shape=(8, 8)))
        * importance
    )
    result = wp.tile_max(weighted)
    wp.tile_store(block_maximums[row], result, offset=column)
    wp.tile_store(updates, weighted, offset=(row * 8, column * 8))


LAUNCH = {
    "halo_stencil": {
        "sizes": {"tile_rows": "min((n + 31) // 32, 300)", "tile_columns": "2"},
        "difficulty": "hard",
        "dims": ["tile_rows", "tile_columns"],
        "block_dim": 128,
        "parameters": {
            "image": {"role": "in", "shape": ["8 * tile_rows + 2", "8 * tile_columns + 2"], "values": {"uniform": [-1.0, 1.0]}},
            "importances": {"role": "in", "shape": ["8 * tile_rows", "8 * tile_columns"], "values": {"uniform": [-1.0, 1.0]}},
            "block_maximums": {"role": "out", "shape": ["tile_rows", "tile_columns"]},
            "updates": {"role": "out", "shape": ["8 * tile_rows", "8 * tile_columns"]},
            "strength": {"values": {"uniform": [0.1, 0.6]}},
        },
    },
}
