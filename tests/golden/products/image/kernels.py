"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, thresholds, histograms of pixels.
"""

import warp as wp


BACKGROUND_OFFSET = wp.constant(0.06)


@wp.func
def compute_residual(
    target: float,
    opacity: float,
    calibrated_overlay: float,
    calibrated_background: float,
):
    """Residual from target, opacity, calibrated_overlay and calibrated_background."""
    return (
        target
        - (
            opacity * (calibrated_overlay * calibrated_background)
            + (1.0 - opacity) * calibrated_background
        )
    )


@wp.kernel
def composite(
    overlays: wp.array2d(dtype=wp.float32),
    overlay_gain_share: wp.array2d(dtype=wp.float32),
    sides: wp.array2d(dtype=wp.int32),
    backgrounds: wp.array2d(dtype=wp.float32),
    right_backgrounds: wp.array2d(dtype=wp.float32),
    opacities: wp.array2d(dtype=wp.float32),
    targets: wp.array2d(dtype=wp.float32),
    overlay_offset: float,
    overlay_gain_range: wp.vec2,
    background_gain: float,
    factor: float,
    height: int,
    width: int,
    composites: wp.array2d(dtype=wp.float32),
):
    """A layer blended (multiply) with another, by its opacity. The overlay is calibrated first.
    side chooses between two arrays. The background is calibrated first. The composite is subtracted
    from the target. The result is multiplied by factor."""
    cell = wp.tid()
    if cell >= height * width:
        return
    y = cell // width
    x = cell % width
    side = sides[y, x]
    overlay = overlays[y, x]
    chosen_background = backgrounds[y, x] if side == 0 else right_backgrounds[y, x]
    target = targets[y, x]
    overlay_gain = wp.lerp(overlay_gain_range[0], overlay_gain_range[1], overlay_gain_share[y, x])
    calibrated_background = (chosen_background - BACKGROUND_OFFSET) * background_gain
    calibrated_overlay = (overlay - overlay_offset) * overlay_gain
    residual = compute_residual(target, opacities[y, x], calibrated_overlay, calibrated_background)
    composites[y, x] = factor * residual


LAUNCH = {
    "composite": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "expert",
        "dims": ["(height * width + 63) // 64 * 64"],
        "parameters": {
            "overlays": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "overlay_gain_share": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "sides": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 2]}},
            "backgrounds": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "right_backgrounds": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "opacities": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.2, 0.9]}},
            "targets": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "overlay_offset": {"values": {"uniform": [0.0, 0.1]}},
            "overlay_gain_range": {"values": {"uniform": [0.5, 0.95]}},
            "background_gain": {"values": {"uniform": [0.5, 0.95]}},
            "factor": {"values": {"uniform": [0.2, 5.0]}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "composites": {"role": "out", "shape": ["height", "width"]},
        },
    },
}
