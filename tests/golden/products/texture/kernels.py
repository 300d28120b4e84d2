"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.kernel
def pixel_thinned_magnitude(
    magnitudes: wp.array2d(dtype=wp.float32),
    intensities: wp.array2d(dtype=wp.uint8),
    rows: int,
    cols: int,
    thinned_magnitudes: wp.array2d(dtype=wp.float32),
):
    """Compute the thinned magnitude of each pixel by suppression of what is no maximum. It needs
    the gradient, computed by the Scharr operator. Beyond the border the nearest element counts."""
    row, col = wp.tid()
    magnitude = magnitudes[row, col]
    up = float(intensities[wp.max(row - 1, 0), col]) / 255.0
    down = float(intensities[wp.min(row + 1, rows - 1), col]) / 255.0
    left = float(intensities[row, wp.max(col - 1, 0)]) / 255.0
    right = float(intensities[row, wp.min(col + 1, cols - 1)]) / 255.0
    upper_left = float(intensities[wp.max(row - 1, 0), wp.max(col - 1, 0)]) / 255.0
    upper_right = float(intensities[wp.max(row - 1, 0), wp.min(col + 1, cols - 1)]) / 255.0
    lower_left = float(intensities[wp.min(row + 1, rows - 1), wp.max(col - 1, 0)]) / 255.0
    lower_right = float(intensities[wp.min(row + 1, rows - 1), wp.min(col + 1, cols - 1)]) / 255.0
    gradient = (
        0.03125
        * wp.vec2(
            3.0 * (upper_right - upper_left)
            + 10.0 * (right - left)
            + 3.0 * (lower_right - lower_left),
            3.0 * (lower_left - upper_left)
            + 10.0 * (down - up)
            + 3.0 * (lower_right - upper_right),
        )
    )
    steep_x = wp.abs(gradient[0])
    steep_y = wp.abs(gradient[1])
    before = float(0.0)
    after = float(0.0)
    if steep_x > 2.4142 * steep_y + 0.0001:
        before = magnitudes[row, wp.max(col - 1, 0)]
        after = magnitudes[row, wp.min(col + 1, cols - 1)]
    elif steep_y > 2.4142 * steep_x + 0.0001:
        before = magnitudes[wp.max(row - 1, 0), col]
        after = magnitudes[wp.min(row + 1, rows - 1), col]
    elif gradient[0] * gradient[1] > 1.0e-6:
        before = magnitudes[wp.max(row - 1, 0), wp.max(col - 1, 0)]
        after = magnitudes[wp.min(row + 1, rows - 1), wp.min(col + 1, cols - 1)]
    else:
        before = magnitudes[wp.max(row - 1, 0), wp.min(col + 1, cols - 1)]
        after = magnitudes[wp.min(row + 1, rows - 1), wp.max(col - 1, 0)]
    thinned_magnitude = magnitude if magnitude >= before and magnitude >= after else 0.0
    thinned_magnitudes[row, col] = thinned_magnitude


LAUNCH = {
    "pixel_thinned_magnitude": {
        "sizes": {"rows": "(n + 36) // 37", "cols": "min(n // 2 + 6, 37)"},
        "difficulty": "expert",
        "dims": ["rows", "cols"],
        "parameters": {
            "magnitudes": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 1.5]}},
            "intensities": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"integers": [0, 256]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "thinned_magnitudes": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
