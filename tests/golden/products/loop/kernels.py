"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def masked_channel_softmax(
    x: wp.array2d(dtype=float),
    num_valid: wp.array(dtype=int),
    y: wp.array2d(dtype=float),
):
    """Compute the softmax over the valid channels of each position, which are the first ones; the
    others are set to 0. The channels are the first axis; their maximum and the sum of exponentials
    come from a single pass (online softmax)."""
    position = wp.tid()
    channels = num_valid[position]
    largest = x[0, position]
    total = float(1.0)
    for k in range(1, channels):
        logit = x[k, position]
        new_largest = wp.max(largest, logit)
        total = total * wp.exp(largest - new_largest) + wp.exp(logit - new_largest)
        largest = new_largest
    for k in range(channels):
        y[k, position] = wp.exp(x[k, position] - largest) / total
    for k in range(channels, x.shape[0]):
        y[k, position] = 0.0


LAUNCH = {
    "masked_channel_softmax": {
        "sizes": {"count": "(n + 15) // 16", "num_channels": "16"},
        "difficulty": "hard",
        "dims": ["count"],
        "parameters": {
            "x": {"role": "in", "shape": ["num_channels", "count"], "values": {"uniform": [-8.0, 8.0]}},
            "num_valid": {"role": "in", "shape": ["count"], "values": {"integers": [1, 17]}},
            "y": {"role": "out", "shape": ["num_channels", "count"]},
        },
    },
}

MADE_OF = {
    "masked_channel_softmax": {"goal": "loop.softmax", "ending": "written", "formulas": []},
}
