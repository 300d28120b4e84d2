"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def convert_rgb_to_hsl(rgb: wp.array2d(dtype=wp.vec3), hsl: wp.array2d(dtype=wp.vec3)):
    """Convert colours from RGB to HSL; hue is from zero to one."""
    row, col = wp.tid()
    r = rgb[row, col][0]
    g = rgb[row, col][1]
    b = rgb[row, col][2]
    high = wp.max(r, wp.max(g, b))
    low = wp.min(r, wp.min(g, b))
    chroma = high - low

    sextant = float(0.0)
    if chroma > 0.0:
        if high == r:
            sextant = (g - b) / chroma
            if g < b:
                sextant += 6.0
        elif high == g:
            sextant = (b - r) / chroma + 2.0
        else:
            sextant = (r - g) / chroma + 4.0
    hue = sextant / 6.0
    lightness = 0.5 * (high + low) / 255.0
    saturation = float(0.0)
    if chroma > 0.0:
        saturation = chroma / 255.0 / (1.0 - wp.abs(2.0 * lightness - 1.0))
    hsl[row, col] = wp.vec3(hue, saturation, lightness)


LAUNCH = {
    "convert_rgb_to_hsl": {
        "sizes": {"rows": "(n + 63) // 64 + 1"},
        "difficulty": "easy",
        "dims": ["rows", "80"],
        "parameters": {
            "rgb": {"role": "in", "shape": ["rows", "80"], "values": {"integers": [0, 256]}},
            "hsl": {"role": "out", "shape": ["rows", "80"]},
        },
    },
}

MADE_OF = {
    "convert_rgb_to_hsl": {"goal": "multi_conditional.hsv_to_rgb", "ending": "written", "formulas": []},
}
