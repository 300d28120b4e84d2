"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def eval_greatest_common_divisor(
    naturals: wp.array(dtype=wp.int32),
    other_naturals: wp.array(dtype=wp.int32),
    divisors: wp.array(dtype=wp.int32),
):
    """Per-integer greatest common divisor by repeated subtraction."""
    i = wp.tid()
    divisor = naturals[i]
    b = other_naturals[i]
    while divisor != b:
        if divisor > b:
            divisor = divisor - b
        else:
            b = b - divisor
    divisors[i] = divisor


LAUNCH = {
    "eval_greatest_common_divisor": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "naturals": {"role": "in", "shape": ["n"], "values": {"integers": [1, 601]}},
            "other_naturals": {"role": "in", "shape": ["n"], "values": {"integers": [1, 601]}},
            "divisors": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eval_greatest_common_divisor": {"goal": "integers.subtracted_divisor", "ending": "per_element", "formulas": ["integers.subtracted_divisor"]},
}
