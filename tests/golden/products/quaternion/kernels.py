"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts.
"""

import warp as wp


@wp.kernel
def jitter_orientations(
    orientations: wp.array(dtype=wp.quat),
    deviation: float,
    points: wp.array(dtype=wp.vec3),
    seed: int,
    rotated: wp.array(dtype=wp.vec3),
):
    """Perturb orientations by small rotations whose rotation vectors are normal, and apply each to
    a point."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    noise = deviation * wp.vec3(wp.randn(rng), wp.randn(rng), wp.randn(rng))
    angle = wp.length(noise)
    turn = wp.quat_from_axis_angle(noise / angle, angle)
    q = turn * wp.normalize(orientations[i])
    rotated[i] = wp.quat_rotate(q, points[i])


LAUNCH = {
    "jitter_orientations": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "orientations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "deviation": {"values": {"uniform": [0.05, 0.2]}},
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "seed": {"values": {"integers": [0, 10000]}},
            "rotated": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "jitter_orientations": {"goal": "quaternion.random_rotations", "ending": "written", "formulas": []},
}
