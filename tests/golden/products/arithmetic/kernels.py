"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def adadelta_step(
    grads: wp.array(dtype=float),
    rho: float,
    epsilon: float,
    params: wp.array(dtype=float),
    square_avg: wp.array(dtype=float),
    delta_avg: wp.array(dtype=float),
):
    """Take an AdaDelta step."""
    i = wp.tid()
    g = grads[i]
    square_avg[i] = rho * square_avg[i] + (1.0 - rho) * g * g
    delta = g * wp.sqrt((delta_avg[i] + epsilon) / (square_avg[i] + epsilon))
    delta_avg[i] = rho * delta_avg[i] + (1.0 - rho) * delta * delta
    params[i] = params[i] - delta


LAUNCH = {
    "adadelta_step": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "grads": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "rho": {"values": {"uniform": [0.9, 0.99]}},
            "epsilon": {"values": {"uniform": [0.0001, 0.01]}},
            "params": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "square_avg": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.01, 0.5]}},
            "delta_avg": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.01, 0.1]}},
        },
    },
}

MADE_OF = {
    "adadelta_step": {"goal": "arithmetic.optimizer_step", "ending": "written", "formulas": []},
}
