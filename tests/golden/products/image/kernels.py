"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, edges, masks, motion and depth.
"""

import warp as wp


@wp.func
def mirrored(index: int, size: int):
    """Index reflected at the border, which keeps the color of the pattern."""
    inside = wp.abs(index)
    return wp.where(inside >= size, 2 * size - 2 - inside, inside)


@wp.func
def tap(mosaic: wp.array2d(dtype=int), y: int, x: int):
    """Sample of the mosaic, mirrored beyond the border."""
    value = mosaic[mirrored(y, mosaic.shape[0]), mirrored(x, mosaic.shape[1])]
    return float(value)


@wp.kernel
def bayer_to_rgb(
    mosaic: wp.array2d(dtype=int),
    black_level: float,
    white_level: float,
    gains: wp.vec3,
    rgb: wp.array2d(dtype=wp.vec3),
):
    """Bilinear demosaicing of a Bayer pattern (RGGB), with white balance."""
    y, x = wp.tid()
    center = tap(mosaic, y, x)
    sides = tap(mosaic, y, x - 1) + tap(mosaic, y, x + 1)
    ends = tap(mosaic, y - 1, x) + tap(mosaic, y + 1, x)
    corners = tap(mosaic, y - 1, x - 1) + tap(mosaic, y - 1, x + 1)
    corners += tap(mosaic, y + 1, x - 1) + tap(mosaic, y + 1, x + 1)
    cross = 0.25 * (sides + ends)
    diagonal = 0.25 * corners
    along_row = 0.5 * sides
    along_column = 0.5 * ends
    color = wp.vec3(0.0, 0.0, 0.0)
    if (y + x) % 2 == 1:
        # A green sensor: red lies in its row or in its column.
        if y % 2 == 0:
            color = wp.vec3(along_row, center, along_column)
        else:
            color = wp.vec3(along_column, center, along_row)
    elif y % 2 == 0:
        color = wp.vec3(center, cross, diagonal)
    else:
        color = wp.vec3(diagonal, cross, center)
    color = (color - wp.vec3(black_level, black_level, black_level)) / (white_level - black_level)
    rgb[y, x] = wp.cw_mul(gains, color)


LAUNCH = {
    "bayer_to_rgb": {
        "sizes": {"height": "(n + 63) // 64 + 4", "width": "96"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "mosaic": {"role": "in", "shape": ["height", "width"], "values": { "integers": [60, 1024]}},
            "black_level": {"values": {"constant": 64.0}},
            "white_level": {"values": {"constant": 1023.0}},
            "gains": {"values": {"uniform": [1.0, 2.2]}},
            "rgb": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "bayer_to_rgb": {"goal": "image.demosaic", "ending": "written", "formulas": []},
}
