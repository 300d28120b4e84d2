"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, edges, masks.
"""

import warp as wp


RADIUS = wp.constant(3)


@wp.kernel
def edge_thickness(gray: wp.array2d(dtype=float), result: wp.array2d(dtype=float)):
    """Compute the morphological gradient, dilation minus erosion, over a disk of radius 3. The
    border repeats outside."""
    y, x = wp.tid()
    lowest = gray[y, x]
    highest = gray[y, x]
    for dy in range(-RADIUS, RADIUS + 1):
        row = wp.clamp(y + dy, 0, gray.shape[0] - 1)
        for dx in range(-RADIUS, RADIUS + 1):
            if dy * dy + dx * dx <= RADIUS * RADIUS:
                value = gray[row, wp.clamp(x + dx, 0, gray.shape[1] - 1)]
                lowest = wp.min(lowest, value)
                highest = wp.max(highest, value)
    result[y, x] = highest - lowest


LAUNCH = {
    "edge_thickness": {
        "sizes": {"height": "(n + 63) // 64 + 3", "width": "96"},
        "difficulty": "medium",
        "dims": ["height", "width"],
        "parameters": {
            "gray": {"role": "in", "shape": ["height", "width"], "values": { "uniform": [0.1, 1.0]}},
            "result": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "edge_thickness": {"goal": "image.morphology", "ending": "written", "formulas": []},
}
