"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, fixed point, wide integers, precise sums.
"""

import warp as wp


@wp.kernel
def eval_cross_entropy_loss(
    logits: wp.array2d(dtype=wp.float16),
    true_classes: wp.array(dtype=wp.int32),
    losses: wp.array(dtype=wp.float16),
):
    """Per-row cross-entropy loss from the online log-sum-exp. Half-precision storage,
    single-precision arithmetic."""
    i = wp.tid()
    running_max = float(logits[i, 0])
    running_sum = float(1.0)
    for j in range(1, 10):
        score = float(logits[i, j])
        if score > running_max:
            running_sum = running_sum * wp.exp(running_max - score) + 1.0
            running_max = score
        else:
            running_sum = running_sum + wp.exp(score - running_max)
    log_sum_exp = running_max + wp.log(running_sum)
    true_class = true_classes[i]
    losses[i] = wp.float16(log_sum_exp - float(logits[i, true_class]))


LAUNCH = {
    "eval_cross_entropy_loss": {
        "sizes": {"classes": "10"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "logits": {"role": "in", "shape": ["n", "classes"], "values": {"uniform": [-4.0, 4.0]}},
            "true_classes": {"role": "in", "shape": ["n"], "values": {"integers": [0, "classes"]}},
            "losses": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eval_cross_entropy_loss": {"goal": "rows.row_cross_entropy", "ending": "per_element", "formulas": ["rows.row_cross_entropy", "rows.online_log_sum_exp"]},
}
