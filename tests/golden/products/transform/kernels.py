"""Kernels of the category transform, seed 0.

Rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches.
"""

import warp as wp


@wp.kernel
def integrate_pose(
    active: wp.array(dtype=wp.int32),
    pose_places: wp.array(dtype=wp.vec3),
    pose_turn_of: wp.array(dtype=wp.quat),
    velocities: wp.array(dtype=wp.spatial_vector),
    points: wp.array(dtype=wp.vec3),
    bound: float,
    heights: wp.array(dtype=wp.float32),
):
    """Each pose after a step with a velocity in the body's frame; the output is the x of a point
    carried by it. Elements that are not active are skipped. Small angles stand for the turn. A soft
    limit keeps the height within bound of zero."""
    i = wp.tid()
    if active[i] == 0:
        return
    pose_place = pose_places[i]
    pose_turn = wp.normalize(pose_turn_of[i])
    pose = wp.transform(pose_place, pose_turn)
    velocity = velocities[i]
    spin = wp.spatial_top(velocity)
    speed = wp.spatial_bottom(velocity)
    angles = 0.05 * spin
    change = wp.quat_rpy(angles[0], angles[1], angles[2])
    moved = wp.transform(
        (
            wp.transform_get_translation(pose)
            + 0.05 * wp.quat_rotate(wp.transform_get_rotation(pose), speed)
        ),
        wp.normalize(wp.transform_get_rotation(pose) * change),
    )
    point = points[i]
    height = wp.transform_point(moved, point)[0]
    heights[i] = height / (1.0 + wp.abs(height) / bound)


LAUNCH = {
    "integrate_pose": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "pose_places": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "pose_turn_of": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "bound": {"values": {"uniform": [1.6, 2.5600000000000005]}},
            "heights": {"role": "out", "shape": ["n"]},
        },
    },
}
