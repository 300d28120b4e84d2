"""Kernels of the category matrix, seed 0.

Matrices of two to four rows: products, transposes, traces, determinants, solves.
"""

import warp as wp


@wp.kernel
def rotate_frame(
    frames: wp.array2d(dtype=wp.mat33),
    angle: float,
    new_frames: wp.array2d(dtype=wp.mat33),
):
    """Each frame rotated about the x axis."""
    row, col = wp.tid()
    frame = frames[row, col]
    s = wp.sin(angle)
    c = wp.cos(angle)
    rotation = wp.mat33(1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)
    new_frames[row, col] = frame @ rotation


LAUNCH = {
    "rotate_frame": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "easy",
        "dims": ["rows", "cols"],
        "parameters": {
            "frames": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "angle": {"values": {"uniform": [-1.5, 1.5]}},
            "new_frames": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
