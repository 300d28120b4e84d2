"""Kernels of the category dtype, seed 0.

Conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products.
"""

import warp as wp


@wp.kernel
def precise_sum(
    rows: wp.array2d(dtype=wp.float32),
    weights: wp.array(dtype=wp.float32),
    num_items: int,
    totals: wp.array(dtype=wp.float32),
):
    """Weighted sum of each row in double precision. The total is squared."""
    i = wp.tid()
    if i >= num_items:
        return
    total = wp.float64(0.0)
    for j in range(24):
        total += wp.float64(rows[i, j]) * wp.float64(weights[j])
    final_total = float(total)
    totals[i] = final_total * final_total


LAUNCH = {
    "precise_sum": {
        "sizes": {"length": "24"},
        "difficulty": "medium",
        "dims": ["(n + 63) // 64 * 64"],
        "parameters": {
            "rows": {"role": "in", "shape": ["n", "length"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["length"], "values": {"uniform": [-1.0, 1.0]}},
            "num_items": {"values": {"size": "n"}},
            "totals": {"role": "out", "shape": ["n"]},
        },
    },
}
