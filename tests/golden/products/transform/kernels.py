"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, arms, points that cameras see.
"""

import warp as wp


@wp.kernel
def denavit_hartenberg_pose(
    joint_parent: wp.array(dtype=wp.int32),
    body_poses: wp.array(dtype=wp.transform),
    joint_child: wp.array(dtype=wp.int32),
    axes: wp.array(dtype=wp.vec3),
    slides: wp.array(dtype=wp.float32),
    link_length: float,
    bend: float,
    local_poses: wp.array(dtype=wp.transform),
):
    """Denavit-Hartenberg transform."""
    i = wp.tid()
    raw_pose = body_poses[joint_parent[i]]
    parent_pose = wp.transform(
        wp.transform_get_translation(raw_pose), wp.normalize(wp.transform_get_rotation(raw_pose))
    )
    other_raw_pose = body_poses[joint_child[i]]
    child_pose = wp.transform(
        wp.transform_get_translation(other_raw_pose),
        wp.normalize(wp.transform_get_rotation(other_raw_pose)),
    )
    relative_pose = wp.transform_multiply(wp.transform_inverse(parent_pose), child_pose)
    axis = wp.normalize(axes[i])
    relative_turn = wp.transform_get_rotation(relative_pose)
    along = wp.dot(wp.vec3(relative_turn[0], relative_turn[1], relative_turn[2]), axis)
    hinge_angle = 2.0 * wp.atan2(along * wp.sign(relative_turn[3]), wp.abs(relative_turn[3]))
    slide = slides[i]
    about_z = wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), hinge_angle)
    local_pose = wp.transform(
        wp.vec3(link_length * wp.cos(hinge_angle), link_length * wp.sin(hinge_angle), slide),
        about_z * wp.quat_from_axis_angle(wp.vec3(1.0, 0.0, 0.0), bend),
    )
    local_poses[i] = local_pose


LAUNCH = {
    "denavit_hartenberg_pose": {
        "sizes": {"body_count": "n // 2 + 2"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "joint_parent": {"role": "in", "shape": ["n"], "values": {"integers": [0, "body_count"]}},
            "body_poses": {"role": "in", "shape": ["body_count"], "values": {"uniform": [-1.0, 1.0]}},
            "joint_child": {"role": "in", "shape": ["n"], "values": {"integers": [0, "body_count"]}},
            "axes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "slides": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "link_length": {"values": {"uniform": [0.1, 0.8]}},
            "bend": {"values": {"uniform": [-1.5, 1.5]}},
            "local_poses": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "denavit_hartenberg_pose": {"goal": "joints.denavit_hartenberg_pose", "ending": "per_element", "formulas": ["joints.denavit_hartenberg_pose", "joints.twist_angle", "joints.pose_between"]},
}
