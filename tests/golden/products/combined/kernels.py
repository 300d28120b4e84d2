"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


RADIUS = wp.constant(2)


@wp.func
def gradient(image: wp.array2d(dtype=float), y: int, x: int):
    """Compute central differences along x and y, with pixels beyond the border equal to the nearest
    edge pixel."""
    gx = image[y, wp.min(x + 1, image.shape[1] - 1)] - image[y, wp.max(x - 1, 0)]
    gy = image[wp.min(y + 1, image.shape[0] - 1), x] - image[wp.max(y - 1, 0), x]
    return 0.5 * wp.vec2(gx, gy)


@wp.kernel
def lucas_kanade_step(
    image: wp.array2d(dtype=float),
    next_image: wp.array2d(dtype=float),
    damping: float,
    flow: wp.array2d(dtype=wp.vec2),
):
    """Estimate optical flow by one damped Lucas-Kanade step: the least-squares displacement for the
    brightness change in a window around each pixel. Windows are clamped at the border."""
    y, x = wp.tid()
    rows = image.shape[0]
    cols = image.shape[1]
    a = float(0.0)
    b = float(0.0)
    c = float(0.0)
    mismatch = wp.vec2()
    for dy in range(-RADIUS, RADIUS + 1):
        v = wp.clamp(y + dy, 0, rows - 1)
        for dx in range(-RADIUS, RADIUS + 1):
            u = wp.clamp(x + dx, 0, cols - 1)
            g = gradient(image, v, u)
            a += g[0] * g[0]
            b += g[0] * g[1]
            c += g[1] * g[1]
            mismatch += (image[v, u] - next_image[v, u]) * g
    tensor = wp.mat22(a + damping, b, b, c + damping)
    flow[y, x] = wp.inverse(tensor) @ mismatch


LAUNCH = {
    "lucas_kanade_step": {
        "sizes": {"height": "min((n + 63) // 64, 513) + 4", "width": "80"},
        "difficulty": "medium",
        "dims": ["height", "width"],
        "parameters": {
            "image": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "next_image": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "damping": {"values": {"uniform": [0.05, 0.2]}},
            "flow": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "lucas_kanade_step": {"goal": "combined.optical_flow", "ending": "written", "formulas": []},
}
