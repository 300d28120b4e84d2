"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def schedule(
    values: wp.array(dtype=wp.float32),
    gradients: wp.array(dtype=wp.float32),
    bias: wp.array(dtype=wp.float32),
    step: int,
    num_steps: int,
    start: float,
    end: float,
    warmup: float,
    updates: wp.array(dtype=wp.float32),
):
    """Running mean of each gradient at a scheduled rate. The update is increased by bias."""
    i = wp.tid()
    value = values[i]
    progress = float(step) / float(num_steps)
    gradient = gradients[i]
    factor = end + (start - end) * progress / (progress + warmup)
    updates[i] = (1.0 - factor) * value + factor * gradient + bias[i]


LAUNCH = {
    "schedule": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "values": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "gradients": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "bias": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "step": {"values": {"integers": [5, 41]}},
            "num_steps": {"values": {"integers": [50, 101]}},
            "start": {"values": {"uniform": [0.5, 1.0]}},
            "end": {"values": {"uniform": [0.05, 0.3]}},
            "warmup": {"values": {"uniform": [0.15, 0.4]}},
            "updates": {"role": "out", "shape": ["n"]},
        },
    },
}
