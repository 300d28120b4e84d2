"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


@wp.struct
class Joint:
    """State of one joint."""

    hinge_rate: float
    goal_angle: float


@wp.kernel
def compute_servo_torque(
    parent_bodies: wp.array(dtype=wp.int32),
    body_poses: wp.array(dtype=wp.transform),
    child_bodies: wp.array(dtype=wp.int32),
    axes: wp.array(dtype=wp.vec3),
    joints: wp.array(dtype=Joint),
    stiffness: float,
    damping: float,
    max_torque: float,
    torques: wp.array(dtype=wp.float32),
):
    """PD servo torque with saturation."""
    j = wp.tid()
    raw_pose = body_poses[parent_bodies[j]]
    parent_pose = wp.transform(
        wp.transform_get_translation(raw_pose), wp.normalize(wp.transform_get_rotation(raw_pose))
    )
    other_raw_pose = body_poses[child_bodies[j]]
    child_pose = wp.transform(
        wp.transform_get_translation(other_raw_pose),
        wp.normalize(wp.transform_get_rotation(other_raw_pose)),
    )
    relative_pose = wp.transform_multiply(wp.transform_inverse(parent_pose), child_pose)
    axis = wp.normalize(axes[j])
    relative_turn = wp.transform_get_rotation(relative_pose)
    along = wp.dot(wp.vec3(relative_turn[0], relative_turn[1], relative_turn[2]), axis)
    hinge_angle = 2.0 * wp.atan2(along * wp.sign(relative_turn[3]), wp.abs(relative_turn[3]))
    joint = joints[j]
    torques[j] = wp.clamp(
        stiffness * (joint.goal_angle - hinge_angle) - damping * joint.hinge_rate,
        -max_torque,
        max_torque,
    )


LAUNCH = {
    "compute_servo_torque": {
        "sizes": {"body_count": "n // 2 + 2"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "parent_bodies": {"role": "in", "shape": ["n"], "values": {"integers": [0, "body_count"]}},
            "body_poses": {"role": "in", "shape": ["body_count"], "values": {"uniform": [-1.0, 1.0]}},
            "child_bodies": {"role": "in", "shape": ["n"], "values": {"integers": [0, "body_count"]}},
            "axes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "joints": {"role": "in", "shape": ["n"], "values": {"members": {"hinge_rate": {"uniform": [-2.0, 2.0]}, "goal_angle": {"uniform": [-1.5, 1.5]}}}},
            "stiffness": {"values": {"uniform": [0.5, 4.0]}},
            "damping": {"values": {"uniform": [0.1, 0.9]}},
            "max_torque": {"values": {"uniform": [1.0, 3.0]}},
            "torques": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_servo_torque": {"goal": "joints.servo_torque", "ending": "per_element", "formulas": ["joints.servo_torque", "joints.twist_angle", "joints.pose_between"]},
}
