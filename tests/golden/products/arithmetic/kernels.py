"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def compute_losses(
    residuals: wp.array(dtype=wp.float32),
    knee: float,
    losses: wp.array(dtype=wp.float32),
):
    """Welsch loss."""
    i = wp.tid()
    ratio = residuals[i] / knee
    losses[i] = 0.5 * knee * knee * (1.0 - wp.exp(-(ratio * ratio)))


LAUNCH = {
    "compute_losses": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "residuals": {"role": "in", "shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "knee": {"values": {"uniform": [0.3, 0.9]}},
            "losses": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_losses": {"goal": "neural.welsch_loss", "ending": "per_element", "formulas": ["neural.welsch_loss"]},
}
