"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def gini_impurity_kernel(
    logits: wp.array2d(dtype=wp.float32),
    num_classes: int,
    impurities: wp.array(dtype=wp.float32),
):
    """Compute the Gini impurity of each row under the softmax. First, the softmax denominator is
    computed relative to the largest logit."""
    row = wp.tid()
    max_logit = logits[row, 0]
    for j in range(1, num_classes):
        max_logit = wp.max(max_logit, logits[row, j])
    exponential_sum = float(0.0)
    for j in range(num_classes):
        exponential_sum += wp.exp(logits[row, j] - max_logit)
    square_sum = float(0.0)
    for j in range(num_classes):
        share = wp.exp(logits[row, j] - max_logit) / exponential_sum
        square_sum += share * share
    impurity = 1.0 - square_sum
    impurities[row] = impurity


LAUNCH = {
    "gini_impurity_kernel": {
        "sizes": {"classes": "16"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "logits": {"role": "in", "shape": ["n", "classes"], "values": {"uniform": [-4.0, 4.0]}},
            "num_classes": {"values": {"size": "classes"}},
            "impurities": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "gini_impurity_kernel": {"goal": "rows.gini_impurity", "ending": "per_element", "formulas": ["rows.gini_impurity", "rows.largest_logit", "rows.softmax_denominator"]},
}
