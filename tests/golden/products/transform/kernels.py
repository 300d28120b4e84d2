"""Kernels of the category transform, seed 0.

Rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches.
"""

import warp as wp


@wp.kernel
def local_shapes(
    shape_poses: wp.array2d(dtype=wp.transform),
    points: wp.array2d(dtype=wp.vec3),
    distances: wp.array2d(dtype=wp.float32),
):
    """Distance of each point from an ellipsoid of a pose."""
    y, x = wp.tid()
    raw_shape_pose = shape_poses[y, x]
    shape_pose = wp.transform(
        wp.transform_get_translation(raw_shape_pose),
        wp.normalize(wp.transform_get_rotation(raw_shape_pose)),
    )
    point = points[y, x]
    local = wp.transform_point(wp.transform_inverse(shape_pose), point)
    distance = wp.length(wp.cw_div(local, wp.vec3(0.9, 1.2, 0.9))) - 0.3
    distances[y, x] = distance


LAUNCH = {
    "local_shapes": {
        "sizes": {"height": "(n + 95) // 96", "width": "min(n // 2 + 9, 96)"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "shape_poses": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "points": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-2.0, 2.0]}},
            "distances": {"role": "out", "shape": ["height", "width"]},
        },
    },
}
