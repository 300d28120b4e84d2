"""Kernels of the category quaternion, seed 0.

Rotations by quaternions: composition, interpolation, integration, axes and angles, matrices.
"""

import warp as wp


@wp.func
def get_torque(part: wp.vec3, angular_velocity: wp.vec3):
    """The torque, from part and angular velocity."""
    return 8.0 * part * 2.0 - 1.2 * angular_velocity


@wp.kernel
def orientation_error(
    now_of: wp.array(dtype=wp.quat),
    angular_velocities: wp.array(dtype=wp.vec3),
    num_items: int,
    goal_setting: wp.quat,
    torques: wp.array(dtype=wp.vec3),
):
    """Torque of a spring that turns each body towards its goal. Component 1 of the output changes
    its sign."""
    i = wp.tid()
    if i >= num_items:
        return
    goal = wp.normalize(goal_setting)
    angular_velocity = angular_velocities[i]
    now = wp.normalize(now_of[i])
    gap = wp.quat_inverse(now) * goal
    part = wp.vec3(gap[0], gap[1], gap[2])
    torque = get_torque(part, angular_velocity)
    adjusted_torque = wp.vec3(torque[0], -torque[1], torque[2])
    torques[i] = adjusted_torque


LAUNCH = {
    "orientation_error": {
        "difficulty": "hard",
        "dims": ["(n + 127) // 128 * 128"],
        "parameters": {
            "now_of": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "angular_velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "num_items": {"values": {"size": "n"}},
            "goal_setting": {"values": {"uniform": [-1.0, 1.0]}},
            "torques": {"role": "out", "shape": ["n"]},
        },
    },
}
