"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, fixed point, wide integers, precise sums.
"""

import warp as wp


@wp.kernel
def compensated_add(
    increments: wp.array(dtype=float),
    sums: wp.array(dtype=float),
    errors: wp.array(dtype=float),
):
    """Add to running sums without losing low digits: the rounding error of each sum is carried
    along."""
    i = wp.tid()
    a = sums[i]
    b = increments[i] + errors[i]
    s = a + b
    b_rounded = s - a
    errors[i] = (a - (s - b_rounded)) + (b - b_rounded)
    sums[i] = s


LAUNCH = {
    "compensated_add": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "increments": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0001, 0.001]}},
            "sums": {"role": "inout", "shape": ["n"], "values": {"uniform": [1.0, 2.0]}},
            "errors": {"role": "inout", "shape": ["n"], "values": {"uniform": [-0.0000001, 0.0000001]}},
        },
    },
}

MADE_OF = {
    "compensated_add": {"goal": "dtype.mixed_precision", "ending": "written", "formulas": []},
}
