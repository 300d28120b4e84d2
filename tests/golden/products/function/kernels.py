"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


@wp.func
def fisher_evidence(measurement: float, shape: float, scale: float):
    """Evidence for Fisher's combined test."""
    cumulative = 1.0 - wp.exp(-wp.pow(measurement / scale, shape))
    p_value = 2.0 * wp.min(cumulative, 1.0 - cumulative)
    return -2.0 * wp.log(wp.max(p_value, 0.001))


@wp.kernel
def observation_divergence(
    measurements: wp.array(dtype=wp.float32),
    shape: float,
    scale: float,
    divergences: wp.array(dtype=wp.float32),
):
    """Compute the evidence of each observation for Fisher's combined test. The p-value is computed
    on both sides."""
    i = wp.tid()
    measurement = measurements[i]
    divergence = fisher_evidence(measurement, shape, scale)
    divergences[i] = divergence


LAUNCH = {
    "observation_divergence": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "measurements": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 8.0]}},
            "shape": {"values": {"uniform": [1.2, 4.0]}},
            "scale": {"values": {"uniform": [1.0, 5.0]}},
            "divergences": {"role": "out", "shape": ["n"]},
        },
    },
}
