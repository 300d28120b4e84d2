"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def compute_mish(
    projections: wp.array2d(dtype=wp.float32),
    running_means: wp.array(dtype=wp.float32),
    running_variances: wp.array(dtype=wp.float32),
    gammas: wp.array(dtype=wp.float32),
    betas: wp.array(dtype=wp.float32),
    activations: wp.array2d(dtype=wp.float32),
):
    """Per-unit Mish."""
    row, channel = wp.tid()
    scale = gammas[channel] / wp.sqrt(running_variances[channel] + 1.0e-5)
    pre_activation = scale * (projections[row, channel] - running_means[channel]) + betas[channel]
    softplus = wp.max(pre_activation, 0.0) + wp.log(1.0 + wp.exp(-wp.abs(pre_activation)))
    activations[row, channel] = pre_activation * wp.tanh(softplus)


LAUNCH = {
    "compute_mish": {
        "sizes": {"tokens": "min(n // 96 + 1, n // 384 + 8)", "channels": "min(n + 63, 384)"},
        "difficulty": "easy",
        "dims": ["tokens", "channels"],
        "parameters": {
            "projections": {"role": "in", "shape": ["tokens", "channels"], "values": {"uniform": [-4.0, 4.0]}},
            "running_means": {"role": "in", "shape": ["channels"], "values": {"uniform": [-0.5, 0.5]}},
            "running_variances": {"role": "in", "shape": ["channels"], "values": {"uniform": [0.3, 2.0]}},
            "gammas": {"role": "in", "shape": ["channels"], "values": {"uniform": [0.5, 1.5]}},
            "betas": {"role": "in", "shape": ["channels"], "values": {"uniform": [-0.5, 0.5]}},
            "activations": {"role": "out", "shape": ["tokens", "channels"]},
        },
    },
}

MADE_OF = {
    "compute_mish": {"goal": "neural.mish", "ending": "per_element", "formulas": ["neural.mish", "neural.batch_norm_inference"]},
}
