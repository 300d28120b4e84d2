"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, precise sums.
"""

import warp as wp


@wp.func
def binomial(k: int):
    """Return the binomial weights 1, 4, 6, 4, 1 for offsets from -2 to 2."""
    return wp.where(k == 0, 6, wp.where(k == 1 or k == -1, 4, 1))


@wp.kernel
def pyramid_down(fine: wp.array2d(dtype=wp.uint8), coarse: wp.array2d(dtype=wp.uint8)):
    """Compute the next level of a Gaussian pyramid: blur with the binomial weights 1, 4, 6, 4, 1 in
    both directions and keep every second pixel. The weights add up to 256, so that a shift with
    rounding replaces the division. Pixels beyond the border repeat the nearest one."""
    y, x = wp.tid()
    total = int(128)
    for dy in range(-2, 3):
        row = wp.clamp(2 * y + dy, 0, fine.shape[0] - 1)
        for dx in range(-2, 3):
            col = wp.clamp(2 * x + dx, 0, fine.shape[1] - 1)
            total += binomial(dy) * binomial(dx) * int(fine[row, col])
    coarse[y, x] = wp.uint8(total >> 8)


LAUNCH = {
    "pyramid_down": {
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "48"},
        "difficulty": "medium",
        "dims": ["height", "width"],
        "parameters": {
            "fine": {"role": "in", "shape": ["2 * height", "2 * width"], "values": {"integers": [0, 256]}},
            "coarse": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "pyramid_down": {"goal": "dtype.saturating_pixels", "ending": "written", "formulas": []},
}
