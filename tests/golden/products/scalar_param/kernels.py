"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def compute_step_learning_rate_decay(
    progress_values: wp.array(dtype=wp.float32),
    base_rate: float,
    first_milestone: float,
    second_milestone: float,
    decay_factor: float,
    learning_rates: wp.array(dtype=wp.float32),
):
    """Step learning-rate decay."""
    step = wp.tid()
    progress = progress_values[step]
    learning_rate = float(0.0)
    if progress < first_milestone:
        learning_rate = base_rate
    elif progress < second_milestone:
        learning_rate = decay_factor * base_rate
    else:
        learning_rate = decay_factor * decay_factor * base_rate
    learning_rates[step] = learning_rate


LAUNCH = {
    "compute_step_learning_rate_decay": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "progress_values": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "base_rate": {"values": {"uniform": [0.1, 0.5]}},
            "first_milestone": {"values": {"uniform": [0.3, 0.5]}},
            "second_milestone": {"values": {"uniform": [0.6, 0.8]}},
            "decay_factor": {"values": {"uniform": [0.1, 0.5]}},
            "learning_rates": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_step_learning_rate_decay": {"goal": "training.step_decay_rate", "ending": "per_element", "formulas": ["training.step_decay_rate"]},
}
