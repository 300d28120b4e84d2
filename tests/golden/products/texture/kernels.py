"""Kernels of the category texture, seed 0.

Textures: image warps, resampling, lookups by place, angle and level, cached gathers.
"""

import warp as wp


@wp.func
def compute_y_texel(y_texel_turn: int, y_texel_period: int, texture_height: int):
    """The y texel, from y texel turn, y texel period and texture height."""
    return wp.clamp(wp.min(y_texel_turn, y_texel_period - 1 - y_texel_turn), 0, texture_height - 1)


@wp.kernel
def image_warp(
    atlas: wp.array2d(dtype=wp.vec2),
    pixels: wp.array2d(dtype=wp.vec2),
    texture_height: int,
    texture_width: int,
    strength: float,
):
    """An image, swirled; the image is mirrored at its edges in y, edges repeat in x. Component 1 of
    the output is at most 0.28. The result is added to what is stored."""
    col, row = wp.tid()
    dy = float(row) - 3.0
    dx = float(col) - 5.5
    turned_by = strength / (1.0 + 0.1 * (dx * dx + dy * dy))
    cosine = wp.cos(turned_by)
    sine = wp.sin(turned_by)
    y_texel_cell = wp.abs(int(wp.floor(3.0 + sine * dx + cosine * dy)))
    y_texel_period = 2 * texture_height
    y_texel_turn = y_texel_cell % y_texel_period
    y_texel = compute_y_texel(y_texel_turn, y_texel_period, texture_height)
    x_texel = wp.min(wp.max(int(wp.floor(5.5 + cosine * dx - sine * dy)), 0), texture_width - 1)
    texel = atlas[y_texel, x_texel]
    adjusted_pixel = wp.vec2(texel[0], wp.min(texel[1], 0.28))
    pixels[row, col] = pixels[row, col] + adjusted_pixel


LAUNCH = {
    "image_warp": {
        "sizes": {"texture_height": "max(n // 12, 1)", "texture_width": "16", "rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "expert",
        "dims": ["cols", "rows"],
        "parameters": {
            "atlas": {"role": "in", "shape": ["texture_height", "texture_width"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "pixels": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "texture_height": {"values": {"size": "texture_height"}},
            "texture_width": {"values": {"size": "texture_width"}},
            "strength": {"values": {"uniform": [0.2, 1.4]}},
        },
    },
}
