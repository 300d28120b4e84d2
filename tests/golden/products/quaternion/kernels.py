"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts.
"""

import warp as wp


@wp.kernel
def eigenaxis_slew(
    attitudes: wp.array(dtype=wp.quat),
    target: wp.quat,
    gain: float,
    max_rate: float,
    rate_commands: wp.array(dtype=wp.vec3),
):
    """Compute the body rates that turn spacecraft to a target about the error axis, up to a maximum
    rate."""
    i = wp.tid()
    error = wp.quat_inverse(wp.normalize(target)) * wp.normalize(attitudes[i])
    # q and -q are one attitude: the error takes the shorter way
    if error[3] < 0.0:
        error = -error
    axis = wp.vec3(error[0], error[1], error[2])
    sine = wp.length(axis)
    angle = 2.0 * wp.atan2(sine, error[3])
    speed = wp.min(gain * angle, max_rate)
    rate_commands[i] = -speed * wp.normalize(axis)


LAUNCH = {
    "eigenaxis_slew": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "attitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "target": {"values": {"uniform": [0.1, 1.0]}},
            "gain": {"values": {"uniform": [0.2, 0.6]}},
            "max_rate": {"values": {"uniform": [0.2, 0.5]}},
            "rate_commands": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eigenaxis_slew": {"goal": "quaternion.attitude_control", "ending": "written", "formulas": []},
}
