"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def sector_code(
    x_valid: wp.array(dtype=wp.int32),
    xs: wp.array(dtype=wp.float64),
    ys: wp.array(dtype=wp.float64),
    outer_weight: wp.float64,
    weights: wp.array(dtype=wp.float64),
):
    """Weight of each point by its region of the plane. Where x is not valid, 0.8 takes its
    place."""
    i = wp.tid()
    x = xs[i]
    valid_x = wp.where(x_valid[i] > 0, x, wp.float64(0.8))
    code = int(0)
    y = ys[i]
    r2 = valid_x * valid_x + y * y
    if valid_x > wp.float64(0.7):
        code = 1
    elif valid_x < wp.float64(-0.7):
        code = 2
    if r2 > wp.float64(2.56):
        code += 16
    if y > wp.float64(1.6):
        code += 4
    if y < wp.float64(-0.7):
        code += 8
    weight = r2
    if code > 3:
        weight = r2 * outer_weight
    elif code > 0:
        weight = r2 - valid_x
    weights[i] = weight


LAUNCH = {
    "sector_code": {
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "x_valid": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "xs": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "ys": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "outer_weight": {"values": {"uniform": [0.1, 0.8]}},
            "weights": {"role": "out", "shape": ["n"]},
        },
    },
}
