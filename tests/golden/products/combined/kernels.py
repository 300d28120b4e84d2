"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def stochastic_depth(activation: float, skip: float, kept: int, drop_rate: float):
    """Output by adding the skip connection under stochastic depth."""
    return skip + wp.where(kept == 1, activation / (1.0 - drop_rate), 0.0)


@wp.kernel
def stochastic_depth_kernel(
    activations: wp.array4d(dtype=wp.float32),
    skips: wp.array4d(dtype=wp.float32),
    keep_mask: wp.array4d(dtype=wp.int32),
    drop_rate: float,
    step: float,
    layer_outputs: wp.array4d(dtype=wp.float32),
    dequantized_outputs: wp.array4d(dtype=wp.float32),
):
    """Compute the output of each unit by adding the skip connection under stochastic depth. Also
    store the output to the levels that eight bits can hold."""
    b, y, x, c = wp.tid()
    activation = activations[b, y, x, c]
    skip = skips[b, y, x, c]
    kept = keep_mask[b, y, x, c]
    layer_output = stochastic_depth(activation, skip, kept, drop_rate)
    layer_outputs[b, y, x, c] = layer_output
    dequantized_output = step * wp.clamp(wp.rint(layer_output / step), -127.0, 127.0)
    dequantized_outputs[b, y, x, c] = dequantized_output


LAUNCH = {
    "stochastic_depth_kernel": {
        "sizes": {"batch": "2", "height": "(n + 255) // 256", "width": "min(n // 4 + 5, 16)", "channels": "8"},
        "difficulty": "medium",
        "dims": ["batch", "height", "width", "channels"],
        "parameters": {
            "activations": {"role": "in", "shape": ["batch", "height", "width", "channels"], "values": {"uniform": [-2.0, 3.0]}},
            "skips": {"role": "in", "shape": ["batch", "height", "width", "channels"], "values": {"uniform": [-2.0, 2.0]}},
            "keep_mask": {"role": "in", "shape": ["batch", "height", "width", "channels"], "values": {"integers": [0, 2]}},
            "drop_rate": {"values": {"uniform": [0.1, 0.5]}},
            "step": {"values": {"uniform": [0.05, 0.2]}},
            "layer_outputs": {"role": "out", "shape": ["batch", "height", "width", "channels"]},
            "dequantized_outputs": {"role": "out", "shape": ["batch", "height", "width", "channels"]},
        },
    },
}
