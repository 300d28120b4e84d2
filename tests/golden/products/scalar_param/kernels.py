"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


THRESHOLD = wp.constant(-5.6)


@wp.kernel
def compute_gains(
    levels: wp.array(dtype=wp.float32),
    ratio: float,
    makeup: float,
    gains: wp.array(dtype=wp.float32),
):
    """Compressor gain."""
    i = wp.tid()
    excess = levels[i] - THRESHOLD
    change = float(0.0)
    if excess > 0.0:
        change = excess * (1.0 / ratio - 1.0)
    gain = wp.exp(0.115129 * (change + makeup))
    gains[i] = gain


LAUNCH = {
    "compute_gains": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "levels": {"role": "in", "shape": ["n"], "values": {"uniform": [-40.0, 0.0]}},
            "ratio": {"values": {"uniform": [2.0, 8.0]}},
            "makeup": {"values": {"uniform": [0.0, 6.0]}},
            "gains": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_gains": {"goal": "sound.compressor_gain", "ending": "per_element", "formulas": ["sound.compressor_gain"]},
}
