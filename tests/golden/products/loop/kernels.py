"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def layer_norm_2d(
    inputs: wp.array2d(dtype=float),
    gamma: wp.array(dtype=float),
    beta: wp.array(dtype=float),
    epsilon: float,
    outputs: wp.array2d(dtype=float),
):
    """Apply layer normalization over the channels of each position; mean and variance are computed
    in one pass by Welford's update. `epsilon` is added to the variance against division by zero.
    inputs[c, i] is channel c of position i."""
    i = wp.tid()
    channels = inputs.shape[0]
    mean = float(0.0)
    squares = float(0.0)
    for c in range(channels):
        value = inputs[c, i]
        delta = value - mean
        mean += delta / float(c + 1)
        squares += delta * (value - mean)
    inv_std = 1.0 / wp.sqrt(squares / float(channels) + epsilon)

    for c in range(channels):
        outputs[c, i] = (inputs[c, i] - mean) * inv_std * gamma[c] + beta[c]


LAUNCH = {
    "layer_norm_2d": {
        "sizes": {"positions": "(n + 63) // 64 + 2", "channels": "128"},
        "difficulty": "easy",
        "dims": ["positions"],
        "parameters": {
            "inputs": {"role": "in", "shape": ["channels", "positions"], "values": {"uniform": [-2.0, 3.0]}},
            "gamma": {"role": "in", "shape": ["channels"], "values": {"uniform": [0.5, 1.5]}},
            "beta": {"role": "in", "shape": ["channels"], "values": {"uniform": [-0.5, 0.5]}},
            "epsilon": {"values": {"uniform": [0.00001, 0.01]}},
            "outputs": {"role": "out", "shape": ["channels", "positions"]},
        },
    },
}

MADE_OF = {
    "layer_norm_2d": {"goal": "loop.layer_norm", "ending": "written", "formulas": []},
}
