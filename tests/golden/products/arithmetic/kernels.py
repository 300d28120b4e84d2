"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def rmsprop_step(
    grad: wp.array(dtype=float),
    lr: float,
    rho: float,
    epsilon: float,
    weights: wp.array(dtype=float),
    square_avg: wp.array(dtype=float),
):
    """RMSProp step."""
    i = wp.tid()
    g = grad[i]
    square_avg[i] = rho * square_avg[i] + (1.0 - rho) * g * g
    weights[i] = weights[i] - lr * g / (wp.sqrt(square_avg[i]) + epsilon)


LAUNCH = {
    "rmsprop_step": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "grad": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "lr": {"values": {"uniform": [0.01, 0.1]}},
            "rho": {"values": {"uniform": [0.9, 0.99]}},
            "epsilon": {"values": {"uniform": [0.0001, 0.01]}},
            "weights": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "square_avg": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.01, 0.5]}},
        },
    },
}

MADE_OF = {
    "rmsprop_step": {"goal": "arithmetic.optimizer_step", "ending": "written", "formulas": []},
}
