"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.kernel
def match_template_ssd(
    frame: wp.array2d(dtype=int),
    pattern: wp.array2d(dtype=int),
    scores: wp.array2d(dtype=int),
):
    """Sum of squared differences between a pattern and the image at every position."""
    i, j = wp.tid()
    total = int(0)
    for a in range(8):
        for b in range(8):
            difference = frame[i + a, j + b] - pattern[a, b]
            total += difference * difference
    scores[i, j] = total


LAUNCH = {
    "match_template_ssd": {
        "sizes": {"rows": "(n + 95) // 96 + 2", "cols": "80"},
        "difficulty": "hard",
        "dims": ["rows", "cols"],
        "parameters": {
            "frame": {"role": "in", "shape": ["rows + 8", "cols + 8"], "memory": "texture", "values": {"integers": [0, 256]}},
            "pattern": {"role": "in", "shape": ["8", "8"], "memory": "constant", "values": {"integers": [0, 256]}},
            "scores": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "match_template_ssd": {"goal": "texture.template_match", "ending": "written", "formulas": []},
}
