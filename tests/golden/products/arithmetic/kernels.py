"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def bicgstab_direction(
    r: wp.array(dtype=wp.float64),
    v: wp.array(dtype=wp.float64),
    beta: wp.float64,
    omega: wp.float64,
    p: wp.array(dtype=wp.float64),
):
    """Compute the next search direction of BiCGSTAB, p = r + beta (p - omega v)."""
    i = wp.tid()
    p[i] = r[i] + beta * (p[i] - omega * v[i])


LAUNCH = {
    "bicgstab_direction": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "r": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "v": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "beta": {"values": {"uniform": [0.3, 0.9]}},
            "omega": {"values": {"uniform": [0.3, 0.9]}},
            "p": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "bicgstab_direction": {"goal": "arithmetic.vector_update", "ending": "written", "formulas": []},
}
