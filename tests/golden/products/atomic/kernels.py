"""Kernels of the category atomic, seed 0.

Atomic adds, subtractions, minima and maxima into shared places.
"""

import warp as wp


@wp.kernel
def confusion_matrix(
    truths: wp.array4d(dtype=wp.int32),
    guesses: wp.array4d(dtype=wp.int32),
    masks: wp.array4d(dtype=wp.int32),
    confusion: wp.array2d(dtype=wp.int32),
    stride: int,
    steps: int,
    depth: int,
    height: int,
    width: int,
):
    """Confusion matrix of 8 classes of the elements whose mask has bit 4."""
    tid = wp.tid()
    for linear in range(tid, steps * depth * height * width, stride):
        t = linear // (depth * height * width)
        rest = linear % (depth * height * width)
        z = rest // (height * width)
        other_rest = rest % (height * width)
        y = other_rest // width
        x = other_rest % width
        if (masks[t, z, y, x] & 4) != 0:
            wp.atomic_add(confusion, truths[t, z, y, x], guesses[t, z, y, x], 1)


LAUNCH = {
    "confusion_matrix": {
        "sizes": {"steps": "3", "depth": "2", "height": "4", "width": "(n + 23) // 24", "classes": "8", "threads": "(steps * depth * height * width + 7) // 8"},
        "difficulty": "hard",
        "dims": ["threads"],
        "parameters": {
            "truths": {"role": "in", "shape": ["steps", "depth", "height", "width"], "values": {"integers": [0, 8]}},
            "guesses": {"role": "in", "shape": ["steps", "depth", "height", "width"], "values": {"integers": [0, 8]}},
            "masks": {"role": "in", "shape": ["steps", "depth", "height", "width"], "values": {"integers": [0, 16]}},
            "confusion": {"role": "inout", "shape": ["classes", "classes"], "values": {"constant": 0}},
            "stride": {"values": {"size": "threads"}},
            "steps": {"values": {"size": "steps"}},
            "depth": {"values": {"size": "depth"}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
        },
    },
}
