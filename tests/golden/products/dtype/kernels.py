"""Kernels of the category dtype, seed 0.

Conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products.
"""

import warp as wp


@wp.kernel
def precise_sum(rows: wp.array2d(dtype=wp.float32), totals: wp.array(dtype=wp.float32)):
    """Sum of the values of each row in blocks of two."""
    i = wp.tid()
    total = float(0.0)
    for block in range(0, 12, 2):
        part = float(0.0)
        for j in range(block, block + 2):
            part += rows[i, j]
        total += part
    totals[i] = total


LAUNCH = {
    "precise_sum": {
        "sizes": {"length": "12"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "rows": {"role": "in", "shape": ["n", "length"], "values": {"uniform": [-1.0, 1.0]}},
            "totals": {"role": "out", "shape": ["n"]},
        },
    },
}
