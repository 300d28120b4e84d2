"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def backward_threshold(
    pre_activations: wp.array(dtype=float),
    dy: wp.array(dtype=float),
    threshold: float,
    dx: wp.array(dtype=float),
):
    """Backpropagate through a threshold unit, which passes values above the threshold and is
    constant below, adding to dx."""
    i = wp.tid()
    if pre_activations[i] > threshold:
        dx[i] = dx[i] + dy[i]


LAUNCH = {
    "backward_threshold": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "pre_activations": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "dy": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "threshold": {"values": {"uniform": [0.2, 0.8]}},
            "dx": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "backward_threshold": {"goal": "conditional.activation_backward", "ending": "written", "formulas": []},
}
