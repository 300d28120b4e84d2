"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, thresholds, histograms of pixels.
"""

import warp as wp


@wp.kernel
def pixel_statistics(
    active: wp.array2d(dtype=wp.int32),
    grey_levels: wp.array2d(dtype=wp.int32),
    labels: wp.array2d(dtype=wp.int32),
    wanted: int,
    cut: int,
    top: wp.array(dtype=wp.int32),
    left: wp.array(dtype=wp.int32),
    bright_sum: wp.array(dtype=wp.int32),
):
    """First row and column with a level above a cut, and the sum of those levels. Elements that are
    not active are skipped. Only pixels of the wanted label count."""
    row, col = wp.tid()
    if active[row, col] == 0:
        return
    level = grey_levels[row, col]
    if labels[row, col] != wanted:
        return
    if level > cut:
        wp.atomic_min(top, 0, row)
        wp.atomic_min(left, 0, col)
        wp.atomic_add(bright_sum, 0, level)


LAUNCH = {
    "pixel_statistics": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "hard",
        "dims": ["rows", "cols"],
        "parameters": {
            "active": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "grey_levels": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 16]}},
            "labels": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 6]}},
            "wanted": {"values": {"integers": [1, 5]}},
            "cut": {"values": {"integers": [4, 9]}},
            "top": {"role": "inout", "shape": ["1"], "values": {"constant": 1000000}},
            "left": {"role": "inout", "shape": ["1"], "values": {"constant": 1000000}},
            "bright_sum": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}
