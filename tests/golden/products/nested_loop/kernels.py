"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def compute_best_single_trade(
    prices: wp.array2d(dtype=wp.float32),
    count: int,
    total_profit: wp.array(dtype=wp.float32),
):
    """Sum of the best single trade over all assets. One atomic per block."""
    block, thread = wp.tid()
    asset = block * 64 + thread
    profit = float(0.0)
    if asset < count:
        best = float(0.0)
        for sold in range(1, 60):
            today = prices[sold, asset]
            for bought in range(sold):
                best = wp.max(best, today - prices[bought, asset])
        profit = best
    block_total = wp.tile_sum(wp.tile(profit))
    wp.tile_atomic_add(total_profit, block_total)


LAUNCH = {
    "compute_best_single_trade": {
        "sizes": {"days": "60"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["(n + 63) // 64"],
        "block_dim": 64,
        "parameters": {
            "prices": {"role": "in", "shape": ["days", "n"], "values": {"uniform": [20.0, 120.0]}},
            "count": {"values": {"size": "n"}},
            "total_profit": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "compute_best_single_trade": {"goal": "prices.best_trade", "ending": "total_by_blocks", "formulas": ["prices.best_trade"]},
}
