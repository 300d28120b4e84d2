"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def image_filter(
    field: wp.array2d(dtype=wp.float32),
    height: int,
    width: int,
    pixels: wp.array2d(dtype=wp.float32),
    pixel_levels: wp.array2d(dtype=wp.int32),
):
    """Mean over a window of radius 1, as far as it lies inside the image. The level of the pixel in
    steps of 1/32, rounded down, is stored as well."""
    y, x = wp.tid()
    total = float(0.0)
    norm = float(0.0)
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            y_there = y + dy
            x_there = x + dx
            if y_there >= 0 and y_there < height and x_there >= 0 and x_there < width:
                total += field[y_there, x_there]
                norm += 1.0
    pixel = total / norm
    pixels[y, x] = pixel
    pixel_levels[y, x] = int(wp.floor(pixel * 32.0))


LAUNCH = {
    "image_filter": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "dims": ["height", "width"],
        "parameters": {
            "field": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "pixels": {"role": "out", "shape": ["height", "width"]},
            "pixel_levels": {"role": "out", "shape": ["height", "width"]},
        },
    },
}
