"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts, filters.
"""

import warp as wp


@wp.kernel
def rotate_by_angular_velocity(
    spins: wp.array(dtype=wp.vec3),
    dt: float,
    rotations: wp.array(dtype=wp.quat),
):
    """Integrate orientations by the exponential map; angular velocities are in the body frame."""
    i = wp.tid()
    q = wp.normalize(rotations[i])
    w = spins[i]
    speed = wp.max(wp.length(w), 1.0e-6)
    turn = wp.quat_from_axis_angle(w / speed, speed * dt)
    q = q * turn
    rotations[i] = wp.normalize(q)


LAUNCH = {
    "rotate_by_angular_velocity": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "dt": {"values": {"uniform": [0.05, 0.2]}},
            "spins": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "rotations": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
        },
    },
}

MADE_OF = {
    "rotate_by_angular_velocity": {"goal": "quaternion.integrate_rotation", "ending": "written", "formulas": []},
}
