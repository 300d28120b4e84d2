"""Kernels of the category quaternion, seed 0.

Rotations by quaternions: composition, interpolation, integration, axes and angles, matrices.
"""

import warp as wp


@wp.kernel
def interpolate_turns(
    seconds: wp.array2d(dtype=wp.quatd),
    angles: wp.array2d(dtype=wp.float64),
    first_setting: wp.quatd,
    blend: wp.float64,
):
    """Spherical interpolation of two rotations; the output is its angle."""
    i, j = wp.tid()
    second = wp.normalize(seconds[i, j])
    first = wp.normalize(first_setting)
    mixed = wp.quat_slerp(first, second, blend)
    sine = wp.length(wp.vec3d(mixed[0], mixed[1], mixed[2]))
    angle = wp.float64(2.0) * wp.atan2(sine, wp.abs(mixed[3]))
    angles[i, j] = angle


LAUNCH = {
    "interpolate_turns": {
        "sizes": {"rows": "(n + 63) // 64", "cols": "min(n // 2 + 8, 64)"},
        "difficulty": "easy",
        "dims": ["rows", "cols"],
        "parameters": {
            "seconds": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "angles": {"role": "out", "shape": ["rows", "cols"]},
            "first_setting": {"values": {"uniform": [-1.0, 1.0]}},
            "blend": {"values": {"uniform": [0.05, 0.95]}},
        },
    },
}
