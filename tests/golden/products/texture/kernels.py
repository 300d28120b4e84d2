"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.kernel
def bilateral_filter(
    intensities: wp.array2d(dtype=wp.uint8),
    rows: int,
    cols: int,
    denoised_intensities: wp.array2d(dtype=wp.float32),
):
    """Per-pixel bilateral filter. Periodic boundaries."""
    row, col = wp.tid()
    intensity = float(intensities[row, col]) / 255.0
    weighted_sum = float(0.0)
    weight_sum = float(0.0)
    for r in range(-2, 3):
        for s in range(-2, 3):
            exponent = float(r * r + s * s) / 5.12
            contrast = (
                (
                    float(intensities[(row + r + 2 * rows) % rows, (col + s + 2 * cols) % cols])
                    / 255.0
                    - intensity
                )
                / 0.25
            )
            weight = wp.exp(-exponent - 0.5 * (contrast * contrast))
            weighted_sum += (
                weight
                * (
                    float(intensities[(row + r + 2 * rows) % rows, (col + s + 2 * cols) % cols])
                    / 255.0
                )
            )
            weight_sum += weight
    denoised_intensities[row, col] = weighted_sum / weight_sum


LAUNCH = {
    "bilateral_filter": {
        "sizes": {"rows": "min(n // 24 + 1, n // 280 + 33)", "cols": "min(n // 48 + 7, 243)"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "intensities": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"integers": [0, 256]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "denoised_intensities": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "bilateral_filter": {"goal": "images.bilateral_filter", "ending": "per_element", "formulas": ["images.bilateral_filter"]},
}
