"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


@wp.kernel
def count_corner_maximum_in_groups(
    corner_responses: wp.array2d(dtype=wp.float32),
    class_ids: wp.array2d(dtype=wp.int32),
    threshold: float,
    rows: int,
    cols: int,
    counts: wp.array2d(dtype=wp.int32),
):
    """Count the pixels of each class by corner flag. Uses the corner detection by non-maximum
    suppression."""
    i, j = wp.tid()
    corner_response = corner_responses[i, j]
    corner_flag = 1 if corner_response > threshold else 0
    for a in range(-1, 2):
        for b in range(-1, 2):
            if (
                corner_responses[wp.clamp(i + a, 0, rows - 1), wp.clamp(j + b, 0, cols - 1)]
                > corner_response
            ):
                corner_flag = 0
    wp.atomic_add(counts, class_ids[i, j], corner_flag, 1)


LAUNCH = {
    "count_corner_maximum_in_groups": {
        "sizes": {"rows": "min(n // 32 + 1, n // 256 + 27)", "cols": "min(n // 40 + 9, 251)", "num_bins": "2", "classes": "16"},
        "difficulty": "expert",
        "dims": ["rows", "cols"],
        "parameters": {
            "corner_responses": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.5, 1.0]}},
            "class_ids": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, "classes"]}},
            "threshold": {"values": {"uniform": [0.4, 0.8]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "counts": {"role": "inout", "shape": ["classes", "num_bins"], "values": {"constant": 0}},
        },
    },
}

MADE_OF = {
    "count_corner_maximum_in_groups": {"goal": "images.corner_maximum", "ending": "counted_in_groups", "formulas": ["images.corner_maximum"]},
}
