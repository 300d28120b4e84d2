"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


@wp.func
def decode_srgb(encoded: float):
    """Convert an encoded sRGB component to linear light."""
    power = wp.pow((encoded + 0.055) / 1.055, 2.4)
    return wp.where(encoded <= 0.04045, encoded / 12.92, power)


@wp.func
def linear_to_xyz(rgb: wp.vec3):
    """Convert linear sRGB to CIE XYZ under the white point D65."""
    x = 0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]
    y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]
    z = 0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]
    return wp.vec3(x, y, z)


@wp.func
def lab_curve(t: float):
    """Evaluate the curve of CIE Lab, a cube root with a linear segment near black."""
    return wp.where(t > 0.008856452, wp.cbrt(t), 7.787037 * t + 0.13793103)


@wp.func
def xyz_to_lab(xyz: wp.vec3):
    """Convert CIE XYZ to CIE Lab relative to D65."""
    fx = lab_curve(xyz[0] / 0.95047)
    fy = lab_curve(xyz[1])
    fz = lab_curve(xyz[2] / 1.08883)
    return wp.vec3(116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz))


@wp.func
def lab_of_srgb(r: float, g: float, b: float):
    """Convert an encoded sRGB color to CIE Lab."""
    linear = wp.vec3(decode_srgb(r), decode_srgb(g), decode_srgb(b))
    return xyz_to_lab(linear_to_xyz(linear))


@wp.kernel
def compare_colors(
    first: wp.array2d(dtype=wp.vec3),
    second: wp.array2d(dtype=wp.vec3),
    lightness_weight: float,
    differences: wp.array2d(dtype=float),
):
    """Compute the perceptual difference of two sRGB images, the distance in CIE Lab (CIE76) with a
    weight for lightness."""
    y, x = wp.tid()
    p = first[y, x]
    q = second[y, x]
    d = lab_of_srgb(p[0], p[1], p[2]) - lab_of_srgb(q[0], q[1], q[2])
    differences[y, x] = wp.sqrt(lightness_weight * d[0] * d[0] + d[1] * d[1] + d[2] * d[2])


LAUNCH = {
    "compare_colors": {
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "96"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "first": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "second": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "lightness_weight": {"values": {"uniform": [0.3, 1.0]}},
            "differences": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "compare_colors": {"goal": "function.color_spaces", "ending": "written", "formulas": []},
}
