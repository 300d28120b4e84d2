"""Kernels of the category histogram, seed 0.

Histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts.
"""

import warp as wp


@wp.kernel
def joint_counts(
    residuals: wp.array(dtype=wp.float32),
    labels: wp.array(dtype=wp.int32),
    scores: wp.array(dtype=wp.float32),
    contingency: wp.array2d(dtype=wp.int32),
    count: int,
):
    """Joint histogram of residual and label, 12 of width 0.18, wrapping around by 5 labelled bins.
    Only those with a score above 0.35 count."""
    i = wp.tid()
    if i >= count:
        return
    a = residuals[i]
    slot = int(wp.floor(a / 0.18)) % 12
    label = labels[i]
    if scores[i] > 0.35:
        wp.atomic_add(contingency, slot, label, 1)


LAUNCH = {
    "joint_counts": {
        "sizes": {"x_bins": "12", "y_bins": "5"},
        "difficulty": "medium",
        "dims": ["(n + 31) // 32 * 32"],
        "parameters": {
            "residuals": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "labels": {"role": "in", "shape": ["n"], "values": {"integers": [0, "y_bins"]}},
            "scores": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "contingency": {"role": "inout", "shape": ["x_bins", "y_bins"], "values": {"constant": 0}},
            "count": {"values": {"size": "n"}},
        },
    },
}
