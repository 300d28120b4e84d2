"""Kernels of the category transform, seed 0.

Rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches.
"""

import warp as wp


@wp.kernel
def joint_frames(
    active: wp.array(dtype=wp.int32),
    parent_bodies: wp.array(dtype=wp.int32),
    parent_poses: wp.array(dtype=wp.transformd),
    child_bodies: wp.array(dtype=wp.int32),
    child_poses: wp.array(dtype=wp.transformd),
    parent_offsets: wp.array(dtype=wp.vec3d),
    child_offsets: wp.array(dtype=wp.vec3d),
    previous: wp.array(dtype=wp.vec3d),
    alive_flags: wp.array(dtype=wp.int32),
    local_gaps: wp.array(dtype=wp.vec3d),
):
    """Gap of each joint in the frame of the parent. Elements that are not active are skipped. The
    local gap is subtracted from the previous value. Where alive_flags[i] is zero, the result is
    halved. The result is multiplied by 2.7."""
    i = wp.tid()
    if active[i] == 0:
        return
    previous_value = previous[i]
    raw_child_pose = child_poses[child_bodies[i]]
    parent_offset = parent_offsets[i]
    raw_parent_pose = parent_poses[parent_bodies[i]]
    parent_pose = wp.transformd(
        wp.transform_get_translation(raw_parent_pose),
        wp.normalize(wp.transform_get_rotation(raw_parent_pose)),
    )
    child_pose = wp.transformd(
        wp.transform_get_translation(raw_child_pose),
        wp.normalize(wp.transform_get_rotation(raw_child_pose)),
    )
    parent_anchor = wp.transform_point(parent_pose, parent_offset)
    child_offset = child_offsets[i]
    child_anchor = wp.transform_point(child_pose, child_offset)
    gap = child_anchor - parent_anchor
    local_gap = previous_value - wp.transform_vector(wp.transform_inverse(parent_pose), gap)
    gated_local_gap = wp.where(alive_flags[i] > 0, local_gap, wp.float64(0.5) * local_gap)
    local_gaps[i] = wp.float64(2.7) * gated_local_gap


LAUNCH = {
    "joint_frames": {
        "sizes": {"bodies": "12"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "parent_bodies": {"role": "in", "shape": ["n"], "values": {"integers": [0, 12]}},
            "parent_poses": {"role": "in", "shape": ["bodies"], "values": {"uniform": [-1.0, 1.0]}},
            "child_bodies": {"role": "in", "shape": ["n"], "values": {"integers": [0, 12]}},
            "child_poses": {"role": "in", "shape": ["bodies"], "values": {"uniform": [-1.0, 1.0]}},
            "parent_offsets": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "child_offsets": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "previous": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "alive_flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "local_gaps": {"role": "out", "shape": ["n"]},
        },
    },
}
