"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts.
"""

import warp as wp


@wp.kernel
def normalized_lerp(
    from_rotations: wp.array(dtype=wp.quat),
    to_rotations: wp.array(dtype=wp.quat),
    ts: wp.array(dtype=float),
    rotations: wp.array(dtype=wp.quat),
):
    """Interpolate rotations by normalized linear interpolation. Every rotation has its own t in
    [0, 1]. Quaternions of a pair must lie in one hemisphere."""
    i = wp.tid()
    t = ts[i]
    a = from_rotations[i]
    b = to_rotations[i]
    rotations[i] = wp.normalize((1.0 - t) * a + t * b)


LAUNCH = {
    "normalized_lerp": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "from_rotations": {"role": "in", "shape": ["n"], "values": {"unit": [0.1, 1.0]}},
            "to_rotations": {"role": "in", "shape": ["n"], "values": {"unit": [0.1, 1.0]}},
            "ts": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "rotations": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "normalized_lerp": {"goal": "quaternion.interpolate", "ending": "written", "formulas": []},
}
