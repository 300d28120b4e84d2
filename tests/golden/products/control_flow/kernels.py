"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def hailstone_height(values: wp.array(dtype=int), peaks: wp.array(dtype=int)):
    """Find the largest number on the Collatz path of each positive number."""
    i = wp.tid()
    value = int(values[i])
    peak = int(values[i])
    while value != 1:
        if value % 2 == 0:
            value = value / 2
        else:
            value = 3 * value + 1
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
