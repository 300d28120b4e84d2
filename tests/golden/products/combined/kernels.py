"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def funded_profit(holding: float, entry_price: float, last_price: float, funding_rate: float):
    """Profit after the funding of long holdings."""
    gain = holding * (last_price - entry_price)
    return gain - funding_rate * holding * entry_price if holding > 0.0 else gain


@wp.kernel
def compute_funded_profit(
    holdings: wp.array(dtype=wp.float32),
    entry_prices: wp.array(dtype=wp.float32),
    last_prices: wp.array(dtype=wp.float32),
    total_profit: wp.array(dtype=wp.float32),
    count: int,
    funding_rate: float,
):
    """Sum the profit of all assets after the funding of long holdings. Each block adds its sum by
    one atomic."""
    block, thread = wp.tid()
    i = block * 256 + thread
    profit = float(0.0)
    if i < count:
        holding = holdings[i]
        entry_price = entry_prices[i]
        last_price = last_prices[i]
        profit = funded_profit(holding, entry_price, last_price, funding_rate)
    block_total = wp.tile_sum(wp.tile(profit))
    wp.tile_atomic_add(total_profit, block_total)


LAUNCH = {
    "compute_funded_profit": {
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["(n + 255) // 256"],
        "block_dim": 256,
        "parameters": {
            "holdings": {"role": "in", "shape": ["n"], "values": {"uniform": [-10.0, 10.0]}},
            "entry_prices": {"role": "in", "shape": ["n"], "values": {"uniform": [20.0, 120.0]}},
            "last_prices": {"role": "in", "shape": ["n"], "values": {"uniform": [20.0, 120.0]}},
            "total_profit": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
            "count": {"values": {"size": "n"}},
            "funding_rate": {"values": {"uniform": [0.0005, 0.01]}},
        },
    },
}

MADE_OF = {
    "compute_funded_profit": {"goal": "prices.funded_profit", "ending": "total_by_blocks", "formulas": ["prices.funded_profit"]},
}
