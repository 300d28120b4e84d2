"""Kernels of the category reduction, seed 0.

Reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments.
"""

import warp as wp


WIDTH = wp.constant(96)


@wp.kernel
def find_row_maxima(
    logits: wp.array2d(dtype=float),
    values: wp.array(dtype=float),
    indices: wp.array(dtype=int),
):
    """Largest element of each row and its column; a block works on a row."""
    sample = wp.tid()
    row_tile = wp.tile_load(logits[sample], shape=WIDTH)
    wp.tile_store(values, wp.tile_max(row_tile), offset=sample)
    wp.tile_store(indices, wp.tile_argmax(row_tile), offset=sample)


LAUNCH = {
    "find_row_maxima": {
        "sizes": {"rows": "(n + 63) // 64 + 2"},
        "difficulty": "hard",
        "dims": ["rows"],
        "block_dim": 64,
        "parameters": {
            "logits": {"role": "in", "shape": ["rows", "96"], "values": {"uniform": [-4.0, 4.0]}},
            "values": {"role": "out", "shape": ["rows"]},
            "indices": {"role": "out", "shape": ["rows"]},
        },
    },
}

MADE_OF = {
    "find_row_maxima": {"goal": "reduction.row_argmax", "ending": "written", "formulas": []},
}
