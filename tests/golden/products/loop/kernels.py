"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def compute_smoothed_cross_entropy(
    logits: wp.array2d(dtype=wp.float32),
    true_classes: wp.array(dtype=wp.int32),
    num_classes: int,
    smoothing: float,
    losses: wp.array(dtype=wp.float32),
):
    """Compute the cross-entropy with label smoothing for each row (online log-sum-exp)."""
    row = wp.tid()
    running_max = logits[row, 0]
    running_sum = float(1.0)
    for j in range(1, num_classes):
        score = logits[row, j]
        if score > running_max:
            running_sum = running_sum * wp.exp(running_max - score) + 1.0
            running_max = score
        else:
            running_sum = running_sum + wp.exp(score - running_max)
    log_sum_exp = running_max + wp.log(running_sum)
    true_class = true_classes[row]
    logit_sum = float(0.0)
    for j in range(num_classes):
        logit_sum += logits[row, j]
    mean_logit = logit_sum / float(num_classes)
    loss = log_sum_exp - (1.0 - smoothing) * logits[row, true_class] - smoothing * mean_logit
    losses[row] = loss


LAUNCH = {
    "compute_smoothed_cross_entropy": {
        "sizes": {"classes": "10"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "logits": {"role": "in", "shape": ["n", "classes"], "values": {"uniform": [-4.0, 4.0]}},
            "true_classes": {"role": "in", "shape": ["n"], "values": {"integers": [0, "classes"]}},
            "num_classes": {"values": {"size": "classes"}},
            "smoothing": {"values": {"uniform": [0.05, 0.3]}},
            "losses": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_smoothed_cross_entropy": {"goal": "rows.smoothed_cross_entropy", "ending": "per_element", "formulas": ["rows.smoothed_cross_entropy", "rows.online_log_sum_exp"]},
}
