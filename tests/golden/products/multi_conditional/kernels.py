"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def soft_shrink(
    projections: wp.array(dtype=wp.float32),
    biases: wp.array(dtype=wp.float32),
    shrinkage: float,
    activations: wp.array(dtype=wp.float32),
):
    """Computes the activation of each unit by soft shrinkage."""
    unit = wp.tid()
    projection = projections[unit]
    bias = biases[unit]
    pre_activation = projection + bias
    activation = float(0.0)
    if pre_activation > shrinkage:
        activation = pre_activation - shrinkage
    elif pre_activation < -shrinkage:
        activation = pre_activation + shrinkage
    activations[unit] = activation


LAUNCH = {
    "soft_shrink": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "projections": {"role": "in", "shape": ["n"], "values": {"uniform": [-4.0, 4.0]}},
            "biases": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "shrinkage": {"values": {"uniform": [0.2, 1.0]}},
            "activations": {"role": "out", "shape": ["n"]},
        },
    },
}
