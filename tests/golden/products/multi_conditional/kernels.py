"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def soft_shrink(
    projections: wp.array(dtype=wp.float32),
    running_means: wp.array(dtype=wp.float32),
    running_variances: wp.array(dtype=wp.float32),
    gammas: wp.array(dtype=wp.float32),
    betas: wp.array(dtype=wp.float32),
    shrinkage: float,
    activations: wp.array(dtype=wp.float32),
):
    """Compute the activation of each unit by soft shrinkage. The pre-activation is computed by
    batch normalisation with running statistics."""
    unit = wp.tid()
    projection = projections[unit]
    running_mean = running_means[unit]
    running_variance = running_variances[unit]
    gamma = gammas[unit]
    beta = betas[unit]
    scale = gamma / wp.sqrt(running_variance + 1.0e-5)
    pre_activation = scale * (projection - running_mean) + beta
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
            "running_means": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "running_variances": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 2.0]}},
            "gammas": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 1.5]}},
            "betas": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "shrinkage": {"values": {"uniform": [0.2, 1.0]}},
            "activations": {"role": "out", "shape": ["n"]},
        },
    },
}
