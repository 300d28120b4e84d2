"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, edges, masks.
"""

import warp as wp


@wp.func
def sample(image: wp.array2d(dtype=wp.vec3), x: float, y: float):
    """Bilinear sample at a position in pixels, where pixel centers are whole numbers; the border
    repeats."""
    col = int(wp.floor(x))
    row = int(wp.floor(y))
    fx = x - float(col)
    fy = y - float(row)
    left = wp.clamp(col, 0, image.shape[1] - 1)
    right = wp.clamp(col + 1, 0, image.shape[1] - 1)
    top = wp.clamp(row, 0, image.shape[0] - 1)
    bottom = wp.clamp(row + 1, 0, image.shape[0] - 1)
    upper = wp.lerp(image[top, left], image[top, right], fx)
    lower = wp.lerp(image[bottom, left], image[bottom, right], fx)
    return wp.lerp(upper, lower, fy)


@wp.kernel
def correct_lens_distortion(
    image: wp.array2d(dtype=wp.vec3),
    focal: float,
    k1: float,
    k2: float,
    warped: wp.array2d(dtype=wp.vec3),
):
    """Remove radial lens distortion with two coefficients, with bilinear sampling."""
    row, col = wp.tid()
    center_x = 0.5 * float(image.shape[1] - 1)
    center_y = 0.5 * float(image.shape[0] - 1)
    dx = (float(col) - center_x) / focal
    dy = (float(row) - center_y) / focal
    r2 = dx * dx + dy * dy
    scale = focal * (1.0 + r2 * (k1 + r2 * k2))
    warped[row, col] = sample(image, center_x + scale * dx, center_y + scale * dy)


LAUNCH = {
    "correct_lens_distortion": {
        "sizes": {"height": "min((n + 63) // 64 + 3, 128)", "width": "96"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "image": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "focal": {"values": {"uniform": [80.0, 120.0]}},
            "k1": {"values": {"uniform": [0.01, 0.05]}},
            "k2": {"values": {"uniform": [0.0001, 0.001]}},
            "warped": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "correct_lens_distortion": {"goal": "image.affine_warp", "ending": "written", "formulas": []},
}
