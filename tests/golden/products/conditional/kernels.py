"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def wrapped_angle(
    angles: wp.array(dtype=wp.float32),
    reference_angles: wp.array(dtype=wp.float32),
    torques: wp.array(dtype=wp.float32),
    torque_levels: wp.array(dtype=wp.int32),
):
    """Lorentzian of each angle in half turns, wrapped once from below. Every second element of
    reference_angles is read. The level of the torque in steps of 1/64, rounded, is stored as
    well."""
    i = wp.tid()
    reference_angle = reference_angles[i * 2]
    turned = angles[i] - 0.1 * reference_angle
    wrapped = turned + 360.0 if turned < -180.0 else turned
    turn = wrapped / 180.0
    torque = 0.4 * (1.0 / (1.0 + turn * turn))
    torques[i] = torque
    torque_levels[i] = int(wp.floor(torque * 64.0 + 0.5))


LAUNCH = {
    "wrapped_angle": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "angles": {"role": "in", "shape": ["n"], "values": {"uniform": [-324.0, 324.0]}},
            "reference_angles": {"role": "in", "shape": ["2 * n"], "values": {"uniform": [-180.0, 180.0]}},
            "torques": {"role": "out", "shape": ["n"]},
            "torque_levels": {"role": "out", "shape": ["n"]},
        },
    },
}
