"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.kernel
def local_binary_pattern(frame: wp.array2d(dtype=int), codes: wp.array2d(dtype=int)):
    """Compute local binary patterns: one bit for each of the eight neighbors of a pixel, set if the
    neighbor is not darker. Bits are in row-major order, the highest first. Pixels beyond the border
    repeat the nearest one."""
    i, j = wp.tid()
    rows = frame.shape[0]
    cols = frame.shape[1]
    center = frame[i, j]
    code = int(0)
    for di in range(-1, 2):
        for dj in range(-1, 2):
            if di != 0 or dj != 0:
                row = wp.clamp(i + di, 0, rows - 1)
                col = wp.clamp(j + dj, 0, cols - 1)
                code = 2 * code + wp.where(frame[row, col] >= center, 1, 0)
    codes[i, j] = code


LAUNCH = {
    "local_binary_pattern": {
        "sizes": {"rows": "(n + 63) // 64 + 2", "cols": "80"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "frame": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"integers": [0, 256]}},
            "codes": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "local_binary_pattern": {"goal": "texture.template_match", "ending": "written", "formulas": []},
}
