"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, edges, masks, motion and depth.
"""

import warp as wp


RADIUS = wp.constant(3)


@wp.kernel
def grayscale_erosion(image: wp.array2d(dtype=float), filtered: wp.array2d(dtype=float)):
    """Gray-scale erosion by a cross of radius 3."""
    y, x = wp.tid()
    lowest = image[y, x]
    for k in range(-RADIUS, RADIUS + 1):
        row = wp.clamp(y + k, 0, image.shape[0] - 1)
        col = wp.clamp(x + k, 0, image.shape[1] - 1)
        lowest = wp.min(lowest, wp.min(image[row, x], image[y, col]))
    filtered[y, x] = lowest


LAUNCH = {
    "grayscale_erosion": {
        "sizes": {"height": "(n + 95) // 96 + 3", "width": "115"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "image": {"role": "in", "shape": ["height", "width"], "values": { "uniform": [0.1, 1.0]}},
            "filtered": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "grayscale_erosion": {"goal": "image.morphology", "ending": "written", "formulas": []},
}
