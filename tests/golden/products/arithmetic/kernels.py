"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def softmax_entropy_kernel(
    logits: wp.array2d(dtype=wp.float32),
    num_classes: int,
    entropies: wp.array(dtype=wp.float32),
):
    """Compute the entropy of each row under the softmax, with the softmax denominator relative to
    the largest logit."""
    row = wp.tid()
    max_logit = logits[0, row]
    for j in range(1, num_classes):
        max_logit = wp.max(max_logit, logits[j, row])
    exponential_sum = float(0.0)
    for j in range(num_classes):
        exponential_sum += wp.exp(logits[j, row] - max_logit)
    mean_logit = float(0.0)
    for j in range(num_classes):
        relative = logits[j, row] - max_logit
        mean_logit += relative * wp.exp(relative)
    entropy = wp.log(exponential_sum) - mean_logit / exponential_sum
    entropies[row] = entropy


LAUNCH = {
    "softmax_entropy_kernel": {
        "sizes": {"classes": "16"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "logits": {"role": "in", "shape": ["classes", "n"], "values": {"uniform": [-4.0, 4.0]}},
            "num_classes": {"values": {"size": "classes"}},
            "entropies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "softmax_entropy_kernel": {"goal": "rows.softmax_entropy", "ending": "per_element", "formulas": ["rows.softmax_entropy", "rows.largest_logit", "rows.softmax_denominator"]},
}
