"""Kernels of the category matrix, seed 0.

Matrices of two to four rows: products, transposes, traces, determinants, solves.
"""

import warp as wp


@wp.kernel
def rotate_frame(
    frames: wp.array(dtype=wp.mat33),
    previous: wp.array(dtype=wp.mat33),
    angle: float,
    new_frames: wp.array(dtype=wp.mat33),
):
    """Each frame rotated about the y axis. The new frame is subtracted from the previous value."""
    i = wp.tid()
    previous_value = previous[i]
    frame = frames[i]
    s = wp.sin(angle)
    c = wp.cos(angle)
    rotation = wp.mat33(c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c)
    new_frames[i] = previous_value - frame @ rotation


LAUNCH = {
    "rotate_frame": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "frames": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "previous": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "angle": {"values": {"uniform": [-1.5, 1.5]}},
            "new_frames": {"role": "out", "shape": ["n"]},
        },
    },
}
