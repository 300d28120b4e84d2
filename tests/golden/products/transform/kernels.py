"""Kernels of the category transform, seed 0.

Rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches.
"""

import warp as wp


@wp.kernel
def local_shapes(
    shape_pose_places: wp.array2d(dtype=wp.vec3),
    shape_pose_turn_parts: wp.array2d(dtype=wp.vec3),
    points: wp.array2d(dtype=wp.vec3),
    sizes: wp.array2d(dtype=wp.float32),
    present_flags: wp.array2d(dtype=wp.int32),
    forces: wp.array2d(dtype=wp.vec3),
    rows: int,
    cols: int,
):
    """Force that keeps each point away from a capsule of a pose. Where present_flags is zero, the
    force is halved."""
    row, col = wp.tid()
    if row >= rows or col >= cols:
        return
    point = points[row, col]
    shape_pose_turn_part = shape_pose_turn_parts[row, col]
    shape_pose_turn = wp.normalize(
        wp.quat(shape_pose_turn_part[0], shape_pose_turn_part[1], shape_pose_turn_part[2], 0.9)
    )
    shape_pose = wp.transform(shape_pose_places[row, col], shape_pose_turn)
    local = wp.transform_point(wp.transform_inverse(shape_pose), point)
    near = wp.clamp(local[1], -0.5, 0.5)
    force = (
        wp.max(
            1.1 - (wp.length(wp.vec3(local[0], local[1] - near, local[2])) - sizes[row, col]), 0.0
        )
        * wp.transform_vector(shape_pose, wp.normalize(local))
    )
    gated_force = wp.where(present_flags[row, col] > 0, force, 0.5 * force)
    forces[row, col] = gated_force


LAUNCH = {
    "local_shapes": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "hard",
        "dims": ["rows + 3", "cols + 2"],
        "parameters": {
            "shape_pose_places": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "shape_pose_turn_parts": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "points": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "sizes": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.2, 0.9]}},
            "present_flags": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "forces": {"role": "out", "shape": ["rows", "cols"]},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
        },
    },
}
