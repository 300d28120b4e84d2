"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


ATTACK = wp.constant(0.45)


@wp.func
def noise_gate(level: float, threshold: float, floor_gain: float = 0.07):
    """Noise gate with a soft knee."""
    open_share = 1.0 / (1.0 + wp.exp(-(0.5 * (level - threshold))))
    return floor_gain + (1.0 - floor_gain) * open_share


@wp.kernel
def envelope_follower(
    signal: wp.array2d(dtype=wp.float32),
    levels: wp.array(dtype=wp.float32),
    threshold: float,
    release: float,
    envelopes: wp.array(dtype=wp.float32),
):
    """Envelope follower."""
    frame = wp.tid()
    gain = noise_gate(levels[frame], threshold)
    envelope = float(0.0)
    for j in range(96):
        magnitude = wp.min(gain * wp.abs(signal[frame, j]), 1.0)
        if magnitude > envelope:
            envelope = envelope + ATTACK * (magnitude - envelope)
        else:
            envelope = envelope + release * (magnitude - envelope)
    envelopes[frame] = envelope


LAUNCH = {
    "envelope_follower": {
        "sizes": {"samples": "96"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "signal": {"role": "in", "shape": ["n", "samples"], "values": {"uniform": [-1.0, 1.0]}},
            "levels": {"role": "in", "shape": ["n"], "values": {"uniform": [-40.0, 0.0]}},
            "threshold": {"values": {"uniform": [-7.0, -4.5]}},
            "release": {"values": {"uniform": [0.02, 0.1]}},
            "envelopes": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "envelope_follower": {"goal": "sound.followed_envelope", "ending": "per_element", "formulas": ["sound.followed_envelope", "sound.noise_gate"]},
}
