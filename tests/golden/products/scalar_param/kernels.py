"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


WARMUP_SHARE = wp.constant(0.19)


@wp.kernel
def compute_trapezoid_rate(
    progress_values: wp.array(dtype=wp.float32),
    learning_rates: wp.array(dtype=wp.float32),
    base_rate: float,
    cooldown_start: float,
):
    """Compute the learning rate of each step by warmup, a plateau and cooldown."""
    i = wp.tid()
    progress = progress_values[i]
    learning_rate = float(0.0)
    if progress < WARMUP_SHARE:
        learning_rate = base_rate * progress / WARMUP_SHARE
    elif progress > cooldown_start:
        learning_rate = base_rate * (1.0 - progress) / (1.0 - cooldown_start)
    else:
        learning_rate = base_rate
    learning_rates[i] = learning_rate


LAUNCH = {
    "compute_trapezoid_rate": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "progress_values": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "learning_rates": {"role": "out", "shape": ["n"]},
            "base_rate": {"values": {"uniform": [0.1, 0.5]}},
            "cooldown_start": {"values": {"uniform": [0.6, 0.9]}},
        },
    },
}

MADE_OF = {
    "compute_trapezoid_rate": {"goal": "training.trapezoid_rate", "ending": "per_element", "formulas": ["training.trapezoid_rate"]},
}
