"""Kernels of the category reduction, seed 0.

Reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments.
"""

import warp as wp


@wp.kernel
def label_bounding_boxes(
    labels: wp.array2d(dtype=int),
    top: wp.array(dtype=int),
    bottom: wp.array(dtype=int),
    left: wp.array(dtype=int),
    right: wp.array(dtype=int),
):
    """Find the first and last row and column of each labeled region. Label 0 is the background."""
    row, col = wp.tid()
    label = labels[row, col]
    if label == 0:
        return
    wp.atomic_min(top, label, row)
    wp.atomic_max(bottom, label, row)
    wp.atomic_min(left, label, col)
    wp.atomic_max(right, label, col)


LAUNCH = {
    "label_bounding_boxes": {
        "sizes": {"height": "(n + 63) // 64 + 3", "regions": "n // 50 + 4", "width": "96"},
        "difficulty": "hard",
        "dims": ["height", "width"],
        "parameters": {
            "labels": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, "regions"]}},
            "top": {"role": "inout", "shape": ["regions"], "values": {"size": "height"}},
            "bottom": {"role": "inout", "shape": ["regions"], "values": {"constant": -1}},
            "left": {"role": "inout", "shape": ["regions"], "values": {"size": "width"}},
            "right": {"role": "inout", "shape": ["regions"], "values": {"constant": -1}},
        },
    },
}

MADE_OF = {
    "label_bounding_boxes": {"goal": "reduction.region_properties", "ending": "written", "formulas": []},
}
