"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata.
"""

import warp as wp


@wp.kernel
def coarsen(
    mask: wp.array2d(dtype=wp.int32),
    pixels: wp.array2d(dtype=wp.float32),
    max_coarse_values: wp.array2d(dtype=wp.float32),
    coarse_values: wp.array2d(dtype=wp.float32),
):
    """Smallest of the 4 cells that a coarse cell replaces. Elements outside the mask are skipped. A
    soft limit keeps the coarse value within max_coarse_values[i, j] of zero."""
    i, j = wp.tid()
    if mask[i, j] == 0:
        return
    base_1 = 2 * j
    base_0 = 2 * i
    v11 = pixels[base_0 + 1, base_1 + 1]
    v00 = pixels[base_0, base_1]
    v01 = pixels[base_0, base_1 + 1]
    v10 = pixels[base_0 + 1, base_1]
    coarse_values[i, j] = (
        max_coarse_values[i, j]
        * wp.tanh(wp.min(wp.min(wp.min(v00, v01), v10), v11) / max_coarse_values[i, j])
    )


LAUNCH = {
    "coarsen": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "mask": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "pixels": {"role": "in", "shape": ["2 * rows", "2 * cols"], "values": {"uniform": [-1.0, 1.0]}},
            "max_coarse_values": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.5, 0.8]}},
            "coarse_values": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
