"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def find_subtracted_divisor(
    naturals: wp.array(dtype=wp.int32),
    other_naturals: wp.array(dtype=wp.int32),
    divisors: wp.array(dtype=wp.int32),
):
    """Find the greatest common divisor of each integer with a second one by repeated
    subtraction."""
    idx = wp.tid()
    other_natural = other_naturals[idx]
    divisor = naturals[idx]
    b = other_natural
    while divisor != b:
        if divisor > b:
            divisor = divisor - b
        else:
            b = b - divisor
    divisors[idx] = divisor


LAUNCH = {
    "find_subtracted_divisor": {
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
    "find_subtracted_divisor": {"goal": "integers.subtracted_divisor", "ending": "per_element", "formulas": ["integers.subtracted_divisor"]},
}
