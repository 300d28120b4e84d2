"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, fixed point, wide integers, precise sums.
"""

import warp as wp


@wp.func
def clamp_to_byte(value: int):
    """Saturate to 0 … 255."""
    return wp.uint8(wp.clamp(value, 0, 255))


@wp.func
def yuv_to_rgb(luma: int, u: int, v: int, out: wp.array(dtype=wp.uint8)):
    """BT.601 in limited range, with 8 fractional bits."""
    y = 298 * (luma - 16) + 128
    out[0] = clamp_to_byte((y + 409 * (v - 128)) >> 8)
    out[1] = clamp_to_byte((y - 100 * (u - 128) - 208 * (v - 128)) >> 8)
    out[2] = clamp_to_byte((y + 516 * (u - 128)) >> 8)


@wp.kernel
def convert_yuyv(packed: wp.array2d(dtype=wp.uint32), rgb: wp.array3d(dtype=wp.uint8)):
    """Convert YUYV video to RGB: a word holds two pixels, which share their chroma."""
    row, pair = wp.tid()
    word = packed[row, pair]
    first = int(word & wp.uint32(0xFF))
    u = int((word >> wp.uint32(8)) & wp.uint32(0xFF))
    second = int((word >> wp.uint32(16)) & wp.uint32(0xFF))
    v = int(word >> wp.uint32(24))
    yuv_to_rgb(first, u, v, rgb[row, 2 * pair])
    yuv_to_rgb(second, u, v, rgb[row, 2 * pair + 1])


LAUNCH = {
    "convert_yuyv": {
        "sizes": {"height": "2 * ((n + 63) // 64) + 2", "width": "64"},
        "difficulty": "easy",
        "dims": ["height", "width // 2"],
        "parameters": {
            "packed": {"role": "in", "shape": ["height", "width // 2"], "values": {"integers": [0, 4294967295]}},
            "rgb": {"role": "out", "shape": ["height", "width", "3"]},
        },
    },
}

MADE_OF = {
    "convert_yuyv": {"goal": "dtype.pixel_formats", "ending": "written", "formulas": []},
}
