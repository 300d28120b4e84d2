"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def estimate_gradient_noise(
    learning_rates: wp.array(dtype=wp.float32),
    momenta: wp.array(dtype=wp.float32),
    noise_scales: wp.array(dtype=wp.float32),
    training_size: float,
    batch_size: float,
):
    """Estimate the gradient noise of each step."""
    i = wp.tid()
    learning_rate = learning_rates[i]
    momentum = momenta[i]
    noise_scale = learning_rate * training_size / (batch_size * wp.max(1.0 - momentum, 0.01))
    noise_scales[i] = noise_scale


LAUNCH = {
    "estimate_gradient_noise": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "learning_rates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 0.5]}},
            "momenta": {"role": "in", "shape": ["n"], "values": {"uniform": [0.8, 0.95]}},
            "noise_scales": {"role": "out", "shape": ["n"]},
            "training_size": {"values": {"uniform": [50.0, 200.0]}},
            "batch_size": {"values": {"uniform": [8.0, 64.0]}},
        },
    },
}
