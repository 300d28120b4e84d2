"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts, filters.
"""

import warp as wp


@wp.kernel
def nlerp_rotations(
    from_rotations: wp.array(dtype=wp.quat),
    to_rotations: wp.array(dtype=wp.quat),
    t: float,
    blended: wp.array(dtype=wp.quat),
):
    """Normalized linear interpolation between rotations."""
    i = wp.tid()
    a = wp.normalize(from_rotations[i])
    b = wp.normalize(to_rotations[i])
    blended[i] = wp.normalize((1.0 - t) * a + t * b)


LAUNCH = {
    "nlerp_rotations": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "from_rotations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "to_rotations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "t": {"values": {"uniform": [0.0, 1.0]}},
            "blended": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "nlerp_rotations": {"goal": "quaternion.interpolate", "ending": "written", "formulas": []},
}
