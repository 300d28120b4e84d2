"""Kernels of the category texture, seed 0.

Textures: image warps, resampling, lookups by place, angle and level, cached gathers.
"""

import warp as wp


FACTOR = wp.constant(2.0)


@wp.kernel
def blended_layers(
    layer_0: wp.array2d(dtype=wp.float32),
    layer_1: wp.array2d(dtype=wp.float32),
    weights: wp.array2d(dtype=wp.float32),
    pixels: wp.array2d(dtype=wp.float32),
    pixel_levels: wp.array2d(dtype=wp.int32),
    total_threads: int,
    rows: int,
    cols: int,
):
    """2 layers of an image, each screened with the one before: the texel. The pixel is multiplied
    by 2.0. The result is multiplied by its weight. The level of the result in steps of 1/8,
    rounded, is stored as well."""
    tid = wp.tid()
    for linear in range(tid, rows * cols, total_threads):
        i = linear // cols
        j = linear % cols
        layer_value = layer_0[i, j]
        above = layer_1[i, j]
        blended = 1.0 - (1.0 - layer_value) * (1.0 - 0.8 * above)
        weight = weights[i, j]
        pixel = weight * (FACTOR * blended)
        pixels[i, j] = pixel
        pixel_levels[i, j] = int(wp.round(pixel * 8.0))


LAUNCH = {
    "blended_layers": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16", "threads": "(rows * cols + 3) // 4"},
        "difficulty": "medium",
        "dims": ["threads"],
        "parameters": {
            "layer_0": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "layer_1": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "weights": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.1, 2.0]}},
            "pixels": {"role": "out", "shape": ["rows", "cols"]},
            "pixel_levels": {"role": "out", "shape": ["rows", "cols"]},
            "total_threads": {"values": {"size": "threads"}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
        },
    },
}
