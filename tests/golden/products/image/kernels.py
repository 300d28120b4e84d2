"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, thresholds, histograms of pixels.
"""

import warp as wp


@wp.func
def evaluate_final_composite(bottom: float, top: float):
    """The final composite, from bottom and top."""
    return bottom / (1.05 - wp.min(top, 1.0))


@wp.kernel
def composite(
    sides: wp.array2d(dtype=wp.int32),
    left_foregrounds: wp.array2d(dtype=wp.float32),
    right_foregrounds: wp.array2d(dtype=wp.float32),
    bases: wp.array2d(dtype=wp.float32),
    composites: wp.array2d(dtype=wp.float32),
):
    """A layer that brightens another. side chooses between two arrays. The composite goes through a
    softplus."""
    row, col = wp.tid()
    side = sides[row, col]
    bottom = bases[row, col]
    chosen_foreground = left_foregrounds[row, col] if side == 0 else right_foregrounds[row, col]
    top = chosen_foreground
    final_composite = evaluate_final_composite(bottom, top)
    composites[row, col] = wp.log(1.0 + wp.exp(final_composite))


LAUNCH = {
    "composite": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "sides": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "left_foregrounds": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "right_foregrounds": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "bases": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "composites": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
