"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def asset_profit(prices: wp.array2d(dtype=wp.float32), total_profit: wp.array(dtype=wp.float32)):
    """Sums the total profit of all assets from the best day to buy and the best later day to
    sell."""
    i = wp.tid()
    profit = float(0.0)
    for sold in range(1, 16):
        today = prices[sold, i]
        for bought in range(sold):
            profit = wp.max(profit, today - prices[bought, i])
    wp.atomic_add(total_profit, 0, profit)


LAUNCH = {
    "asset_profit": {
        "sizes": {"days": "16"},
        "difficulty": "medium",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "prices": {"role": "in", "shape": ["days", "n"], "values": {"uniform": [20.0, 120.0]}},
            "total_profit": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}
