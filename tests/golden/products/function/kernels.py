"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


TEMPERATURE = wp.constant(1.8)
SMOOTHING = wp.constant(0.1)


@wp.func
def calibrated_probability(logit: float):
    """Temperature-scaled probability."""
    return 1.0 / (1.0 + wp.exp(-(logit / TEMPERATURE)))


@wp.func
def binary_cross_entropy(probability: float, label: float):
    """Binary cross-entropy."""
    return -(label * wp.log(probability) + (1.0 - label) * wp.log(1.0 - probability))


@wp.kernel
def compute_binary_cross_entropy(
    logits: wp.array(dtype=wp.float32),
    hard_labels: wp.array(dtype=wp.float32),
    log_losses: wp.array(dtype=wp.float32),
):
    """Compute the binary cross-entropy."""
    sample = wp.tid()
    probability = calibrated_probability(logits[sample])
    label = hard_labels[sample] * (1.0 - SMOOTHING) + 0.5 * SMOOTHING
    log_losses[sample] = binary_cross_entropy(probability, label)


LAUNCH = {
    "compute_binary_cross_entropy": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "logits": {"role": "in", "shape": ["n"], "values": {"uniform": [-4.0, 4.0]}},
            "hard_labels": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "log_losses": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_binary_cross_entropy": {"goal": "neural.binary_cross_entropy", "ending": "per_element", "formulas": ["neural.binary_cross_entropy", "neural.calibrated_probability", "neural.smoothed_label"]},
}
