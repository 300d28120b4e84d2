"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


COOLDOWN_START = wp.constant(0.87)


@wp.kernel
def compute_trapezoid_rate(
    progress_values: wp.array(dtype=wp.float32),
    learning_rates: wp.array(dtype=wp.float32),
    base_rate: float,
):
    """Compute the learning rate of each step by warmup, a plateau and cooldown."""
    i = wp.tid()
    progress = progress_values[i]
    learning_rate = base_rate
    if progress < 0.19:
        learning_rate = base_rate * progress / 0.19
    elif progress > COOLDOWN_START:
        learning_rate = base_rate * (1.0 - progress) / (1.0 - COOLDOWN_START)
    learning_rates[i] = learning_rate


LAUNCH = {
    "compute_trapezoid_rate": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "progress_values": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "learning_rates": {"role": "out", "shape": ["n"]},
            "base_rate": {"values": {"uniform": [0.1, 0.5]}},
        },
    },
}
