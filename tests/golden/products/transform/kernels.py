"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, arms, points that cameras see.
"""

import warp as wp


@wp.kernel
def vertex_speed_kernel(
    rest_positions: wp.array(dtype=wp.vec3),
    bone_rotations: wp.array(dtype=wp.quat),
    bone_offsets: wp.array(dtype=wp.vec3),
    bone_ids: wp.array2d(dtype=wp.int32),
    bone_weights: wp.array2d(dtype=wp.float32),
    previous_positions: wp.array(dtype=wp.vec3),
    dt: float,
    speeds: wp.array(dtype=wp.float32),
):
    """Compute the speed of each vertex from the pose of the frame before, with the posed position
    by the blended rotation and offset of the bones."""
    i = wp.tid()
    rest_position = rest_positions[i]
    turn = wp.quat(0.0, 0.0, 0.0, 0.0)
    offset = wp.vec3(0.0, 0.0, 0.0)
    weight_sum = float(0.0)
    for slot in range(2):
        bone = bone_ids[i, slot]
        weight = bone_weights[i, slot]
        turn = turn + weight * bone_rotations[bone]
        offset = offset + weight * bone_offsets[bone]
        weight_sum += weight
    rotated = wp.quat_rotate(wp.normalize(turn), rest_position)
    posed_position = rotated + offset / weight_sum
    previous_position = previous_positions[i]
    speed = wp.length((posed_position - previous_position) / dt)
    speeds[i] = speed


LAUNCH = {
    "vertex_speed_kernel": {
        "sizes": {"bones": "12", "influences": "2"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "rest_positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "bone_rotations": {"role": "in", "shape": ["bones"], "values": {"uniform": [0.1, 1.0]}},
            "bone_offsets": {"role": "in", "shape": ["bones"], "values": {"uniform": [-1.0, 1.0]}},
            "bone_ids": {"role": "in", "shape": ["n", "influences"], "values": {"integers": [0, "bones"]}},
            "bone_weights": {"role": "in", "shape": ["n", "influences"], "values": {"uniform": [0.05, 1.0]}},
            "previous_positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "dt": {"values": {"uniform": [0.005, 0.05]}},
            "speeds": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "vertex_speed_kernel": {"goal": "skins.vertex_speed", "ending": "per_element", "formulas": ["skins.vertex_speed", "skins.quaternion_skinning"]},
}
