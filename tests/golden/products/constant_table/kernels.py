"""Kernels of the category constant_table, seed 0.

Constant memory: calendars, genes, contour cases, bodies, balls, lattices, centers, codes, curves.
"""

import warp as wp


@wp.kernel
def ordered_dither(
    image: wp.array2d(dtype=int),
    thresholds: wp.array2d(dtype=int),
    dithered: wp.array2d(dtype=int),
):
    """Ordered dither of an 8-bit image to 8 levels with a 4 x 4 threshold matrix."""
    i, j = wp.tid()
    scaled = image[i, j] * 7
    level = scaled // 255
    remainder = scaled % 255
    if remainder * 16 > thresholds[i % 4, j % 4] * 255:
        level += 1
    dithered[i, j] = level


LAUNCH = {
    "ordered_dither": {
        "sizes": {"rows": "(n + 79) // 80 + 2", "cols": "80"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "image": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 256]}},
            "thresholds": {"role": "in", "shape": ["4", "4"], "memory": "constant", "values": {"integers": [0, 16]}},
            "dithered": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "ordered_dither": {"goal": "constant_table.low_discrepancy", "ending": "written", "formulas": []},
}
