"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def yin_pitch(
    signal: wp.array2d(dtype=wp.float32),
    dip: float,
    num_lags: int,
    num_samples: int,
    pitch_lags: wp.array(dtype=wp.int32),
):
    """Finds the pitch lag of each frame at the first dip of the normalised difference."""
    i = wp.tid()
    pitch_lag = int(0)
    so_far = float(0.001)
    for lag in range(1, num_lags):
        difference = float(0.0)
        for j in range(num_samples - lag):
            gap = signal[i, j] - signal[i, j + lag]
            difference += gap * gap
        so_far = so_far + difference
        if difference * float(lag) < dip * so_far:
            pitch_lag = lag
            break
    pitch_lags[i] = pitch_lag


LAUNCH = {
    "yin_pitch": {
        "sizes": {"samples": "24", "lags": "8"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "signal": {"role": "in", "shape": ["n", "samples"], "values": {"uniform": [-1.0, 1.0]}},
            "dip": {"values": {"uniform": [0.7, 1.0]}},
            "num_lags": {"values": {"size": "lags"}},
            "num_samples": {"values": {"size": "samples"}},
            "pitch_lags": {"role": "out", "shape": ["n"]},
        },
    },
}
