"""Kernels of the category atomic, seed 0.

Atomic adds, subtractions, minima and maxima into shared places.
"""

import warp as wp


SCALE = wp.constant(1.7)


@wp.kernel
def group_extremes(
    group_ids: wp.array3d(dtype=wp.int32),
    heights: wp.array3d(dtype=wp.float32),
    masks: wp.array3d(dtype=wp.int32),
    own_values: wp.array3d(dtype=wp.float32),
    minima: wp.array(dtype=wp.float32),
):
    """Minimum scaled value in each group of the elements whose mask has bit 1. Each thread's value
    is stored as well."""
    z, y, x = wp.tid()
    height = heights[z, y, x]
    candidate = SCALE * height
    own_values[z, y, x] = candidate
    if (masks[z, y, x] & 1) != 0:
        wp.atomic_min(minima, group_ids[z, y, x], candidate)


LAUNCH = {
    "group_extremes": {
        "sizes": {"depth": "min(n // 9 + 2, 8)", "height": "(n + 199) // 200", "width": "min(n // 3 + 4, 25)", "groups": "(n + 2) // 3"},
        "difficulty": "medium",
        "dims": ["depth", "height", "width"],
        "parameters": {
            "group_ids": {"role": "in", "shape": ["depth", "height", "width"], "values": {"integers": [0, "groups"]}},
            "heights": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "masks": {"role": "in", "shape": ["depth", "height", "width"], "values": {"integers": [0, 16]}},
            "own_values": {"role": "out", "shape": ["depth", "height", "width"]},
            "minima": {"role": "inout", "shape": ["groups"], "values": {"constant": 100.0}},
        },
    },
}
