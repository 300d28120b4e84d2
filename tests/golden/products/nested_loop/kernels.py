"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def compute_payment(
    face_values: wp.array(dtype=wp.float32),
    quoted_prices: wp.array(dtype=wp.float32),
    coupon_rates: wp.array(dtype=wp.float32),
    period_counts: wp.array(dtype=wp.int32),
    total_payment: wp.array(dtype=wp.float32),
    count: int,
    halvings: int,
):
    """Sum the total level payment of all bonds from the face value and the annuity factor, a block
    at a time. The yield is computed by bisection."""
    block, lane = wp.tid()
    bond = block * 128 + lane
    payment = float(0.0)
    if bond < count:
        face_value = face_values[bond]
        quoted_price = quoted_prices[bond]
        coupon_rate = coupon_rates[bond]
        periods = period_counts[bond]
        low = float(0.0001)
        high = float(0.5)
        for _ in range(halvings):
            middle = 0.5 * (low + high)
            value = float(0.0)
            factor = 1.0 / (1.0 + middle)
            present = float(1.0)
            for period in range(periods):
                present = present * factor
                value += 100.0 * coupon_rate * present
            if value + 100.0 * present > quoted_price:
                low = middle
            else:
                high = middle
        yield_rate = 0.5 * (low + high)
        annuity = float(0.0)
        factor = 1.0 / (1.0 + yield_rate)
        other_present = float(1.0)
        for period in range(periods):
            other_present = other_present * factor
            annuity += other_present
        payment = face_value / wp.max(annuity, 0.5)
    block_total = wp.tile_sum(wp.tile(payment))
    wp.tile_atomic_add(total_payment, block_total)


LAUNCH = {
    "compute_payment": {
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["(n + 127) // 128"],
        "block_dim": 128,
        "parameters": {
            "face_values": {"role": "in", "shape": ["n"], "values": {"uniform": [50.0, 150.0]}},
            "quoted_prices": {"role": "in", "shape": ["n"], "values": {"uniform": [80.0, 120.0]}},
            "coupon_rates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.01, 0.08]}},
            "period_counts": {"role": "in", "shape": ["n"], "values": {"integers": [2, 31]}},
            "total_payment": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
            "count": {"values": {"size": "n"}},
            "halvings": {"values": {"integers": [20, 27]}},
        },
    },
}
