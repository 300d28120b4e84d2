"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, edges, masks, motion and depth.
"""

import warp as wp


@wp.kernel
def composite_over(
    source: wp.array2d(dtype=wp.vec4),
    destination: wp.array2d(dtype=wp.vec4),
    opacity: float,
    result: wp.array2d(dtype=wp.vec4),
):
    """Porter-Duff over of two RGBA images."""
    y, x = wp.tid()
    f = source[y, x]
    b = destination[y, x]
    alpha = opacity * f[3]
    out_alpha = alpha + b[3] * (1.0 - alpha)
    color = wp.vec3()
    if out_alpha > 0.0:
        front_part = alpha * wp.vec3(f[0], f[1], f[2])
        back_part = b[3] * (1.0 - alpha) * wp.vec3(b[0], b[1], b[2])
        color = (front_part + back_part) / out_alpha
    result[y, x] = wp.vec4(color[0], color[1], color[2], out_alpha)


LAUNCH = {
    "composite_over": {
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "80"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "source": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "destination": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "opacity": {"values": {"uniform": [0.3, 1.0]}},
            "result": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "composite_over": {"goal": "image.alpha_over", "ending": "written", "formulas": []},
}
