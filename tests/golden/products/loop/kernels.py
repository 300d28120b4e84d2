"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def filter_and_decimate(
    x: wp.array(dtype=float),
    taps: wp.array(dtype=float),
    factor: int,
    y: wp.array(dtype=float),
):
    """Low-pass filter that keeps one sample of several."""
    i = wp.tid()
    total = float(0.0)
    for k in range(taps.shape[0]):
        total += taps[k] * x[i * factor + k]
    y[i] = total


LAUNCH = {
    "filter_and_decimate": {
        "sizes": {"length": "n // 2 + 3"},
        "difficulty": "easy",
        "dims": ["length"],
        "parameters": {
            "x": {"role": "in", "shape": ["4 * length + 15"], "values": {"uniform": [-1.0, 1.0]}},
            "taps": {"role": "in", "shape": ["15"], "values": {"uniform": [-0.2, 0.5]}},
            "factor": {"values": {"integers": [2, 5]}},
            "y": {"role": "out", "shape": ["length"]},
        },
    },
}

MADE_OF = {
    "filter_and_decimate": {"goal": "loop.fir_filter", "ending": "written", "formulas": []},
}
