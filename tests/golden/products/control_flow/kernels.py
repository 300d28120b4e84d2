"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def hailstone_height(values: wp.array(dtype=int), peaks: wp.array(dtype=wp.int64)):
    """Find the largest number on the Collatz path (n / 2 or 3 n + 1) from each number to one;
    numbers below two are their own peak."""
    i = wp.tid()
    # paths of 32-bit numbers climb beyond 32 bits
    value = wp.int64(values[i])
    peak = wp.int64(value)
    while value > wp.int64(1):
        if value & wp.int64(1) == wp.int64(0):
            value >>= wp.int64(1)
        else:
            value = wp.int64(3) * value + wp.int64(1)
        peak = wp.max(peak, value)
    peaks[i] = peak


LAUNCH = {
    "hailstone_height": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "values": {"role": "in", "shape": ["n"], "values": {"integers": [1, 3000]}},
            "peaks": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "hailstone_height": {"goal": "control_flow.number_theory", "ending": "written", "formulas": []},
}
