"""Kernels of the category atomic, seed 0.

Atomic adds, subtractions, minima and maxima into shared places.
"""

import warp as wp


@wp.kernel
def bounding_box(
    mask: wp.array3d(dtype=wp.int32),
    points: wp.array3d(dtype=wp.vec2),
    lower: wp.array(dtype=wp.float32),
    upper: wp.array(dtype=wp.float32),
    inside: wp.array(dtype=wp.int32),
):
    """Bounding box of the points. Elements outside the mask are skipped. Points near the origin are
    counted as well."""
    i, j, k = wp.tid()
    if mask[i, j, k] == 0:
        return
    point = points[i, j, k]
    for axis in range(2):
        wp.atomic_min(lower, axis, point[axis])
        wp.atomic_max(upper, axis, point[axis])
    if wp.length(point) < 1.4:
        wp.atomic_add(inside, 0, 1)


LAUNCH = {
    "bounding_box": {
        "sizes": {"nx": "(n + 31) // 32", "ny": "4", "nz": "8", "axes": "2"},
        "difficulty": "hard",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "mask": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"integers": [0, 2]}},
            "points": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-2.0, 2.0]}},
            "lower": {"role": "inout", "shape": ["axes"], "values": {"constant": 100.0}},
            "upper": {"role": "inout", "shape": ["axes"], "values": {"constant": -100.0}},
            "inside": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}
