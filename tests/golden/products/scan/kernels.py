"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


TILE = wp.constant(256)


@wp.kernel
def exclusive_tile_prefix_sum(values: wp.array(dtype=float), sums: wp.array(dtype=float)):
    """Exclusive prefix sums within each tile; a block works on a tile."""
    block = wp.tid()
    tile = wp.tile_load(values, shape=TILE, offset=block * TILE)
    wp.tile_store(sums, wp.tile_scan_exclusive(tile), offset=block * TILE)


LAUNCH = {
    "exclusive_tile_prefix_sum": {
        "sizes": {"blocks": "(n + 255) // 256"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["blocks"],
        "block_dim": 128,
        "parameters": {
            "values": {"role": "in", "shape": ["256 * blocks"], "values": {"uniform": [0.0, 1.0]}},
            "sums": {"role": "out", "shape": ["256 * blocks"]},
        },
    },
}

MADE_OF = {
    "exclusive_tile_prefix_sum": {"goal": "scan.prefix_sum", "ending": "written", "formulas": []},
}
