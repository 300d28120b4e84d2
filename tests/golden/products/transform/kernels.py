"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, arms, points that cameras see.
"""

import warp as wp


@wp.kernel
def compute_vertex_speed(
    rest_positions: wp.array(dtype=wp.vec3),
    bone_rotations: wp.array(dtype=wp.quat),
    bone_offsets: wp.array(dtype=wp.vec3),
    bone_ids: wp.array2d(dtype=wp.int32),
    bone_weights: wp.array2d(dtype=wp.float32),
    previous_positions: wp.array(dtype=wp.vec3),
    dt: float,
    speeds: wp.array(dtype=wp.float32),
):
    """Compute the speed of a skinned vertex for each vertex. Uses the skinning by blended
    quaternions."""
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
    speeds[i] = wp.length((posed_position - previous_position) / dt)


LAUNCH = {
    "compute_vertex_speed": {
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
    "compute_vertex_speed": {"goal": "skins.vertex_speed", "ending": "per_element", "formulas": ["skins.vertex_speed", "skins.quaternion_skinning"]},
}
