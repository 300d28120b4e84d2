"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


SMOOTHING = wp.constant(0.1)


@wp.func
def smoothed_label(hard_label: float):
    """Smooth the label towards one half."""
    return hard_label * (1.0 - SMOOTHING) + 0.5 * SMOOTHING


@wp.func
def binary_cross_entropy(logit: float, label: float):
    """Loss by the binary cross-entropy."""
    probability = 1.0 / (1.0 + wp.exp(-logit))
    return -(label * wp.log(probability) + (1.0 - label) * wp.log(1.0 - probability))


@wp.kernel
def sample_log_loss(
    logits: wp.array(dtype=wp.float32),
    hard_labels: wp.array(dtype=wp.float32),
    log_losses: wp.array(dtype=wp.float32),
):
    """Compute the loss of each sample by the binary cross-entropy, with the probability by the
    logistic function and the label smoothed towards one half."""
    i = wp.tid()
    logit = logits[i]
    hard_label = hard_labels[i]
    label = smoothed_label(hard_label)
    log_loss = binary_cross_entropy(logit, label)
    log_losses[i] = log_loss


LAUNCH = {
    "sample_log_loss": {
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
    "sample_log_loss": {"goal": "neural.binary_cross_entropy", "ending": "per_element", "formulas": ["neural.binary_cross_entropy", "neural.predicted_probability", "neural.smoothed_label"]},
}
