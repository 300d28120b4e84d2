"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts.
"""

import warp as wp


WIDTH = wp.constant(256)


@wp.kernel
def scaled_block_softmax(
    scores: wp.array2d(dtype=float),
    scale: float,
    weights: wp.array2d(dtype=float),
):
    """Softmax of each row times a scale; a block holds the row."""
    row = wp.tid()
    values = wp.tile_load(scores[row], shape=WIDTH)
    values = values * scale
    largest = wp.tile_broadcast(wp.tile_max(values), shape=(WIDTH,))
    exps = wp.tile_map(wp.exp, values - largest)
    total = wp.tile_sum(exps)
    wp.tile_store(weights[row], exps * (1.0 / total[0]))


LAUNCH = {
    "scaled_block_softmax": {
        "sizes": {"rows": "(n + 63) // 64"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["rows"],
        "block_dim": 128,
        "parameters": {
            "scores": {"role": "in", "shape": ["rows", "256"], "values": {"uniform": [-6.0, 6.0]}},
            "scale": {"values": {"uniform": [0.3, 1.5]}},
            "weights": {"role": "out", "shape": ["rows", "256"]},
        },
    },
}

MADE_OF = {
    "scaled_block_softmax": {"goal": "shared_tile.softmax_tile", "ending": "written", "formulas": []},
}
