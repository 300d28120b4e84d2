"""Kernels of the category constant_table, seed 0.

Constant memory: genes, contour cases, bodies, balls, centers, codes, curves.
"""

import warp as wp


HALF_TAP_COUNT = wp.constant(16)


@wp.kernel
def linear_phase_fir(x: wp.array(dtype=float), h: wp.array(dtype=float), y: wp.array(dtype=float)):
    """Apply a linear-phase FIR filter of odd length, given by its center tap and the taps on one
    side of it. Beyond its ends the signal repeats its end values."""
    i = wp.tid()
    last = x.shape[0] - 1
    total = h[0] * x[i]
    for k in range(1, HALF_TAP_COUNT):
        total += h[k] * (x[wp.max(i - k, 0)] + x[wp.min(i + k, last)])
    y[i] = total


LAUNCH = {
    "linear_phase_fir": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "h": {"role": "in", "shape": ["16"], "memory": "constant", "values": {"uniform": [-0.5, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "linear_phase_fir": {"goal": "constant_table.fir_filter", "ending": "written", "formulas": []},
}
