"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


@wp.kernel
def point_shade(
    points: wp.array(dtype=wp.vec3),
    half_size: wp.vec3,
    shades: wp.array(dtype=wp.float32),
):
    """Computes the shade of each point from level lines outside of the solid. The scene distance is
    computed as that of the intersection of solid and tool and the occupancy is computed with a soft
    border."""
    p = wp.tid()
    point = points[p]
    s = wp.sin(0.9 * point[1])
    c = wp.cos(0.9 * point[1])
    local_point = wp.vec3(c * point[0] - s * point[2], point[1], s * point[0] + c * point[2])
    tool_distance = (
        (wp.abs(local_point[0]) + wp.abs(local_point[1]) + wp.abs(local_point[2]) - 0.65) * 0.57735
    )
    excess = wp.abs(local_point) - half_size
    solid_distance = (
        wp.length(wp.max(excess, wp.vec3(0.0, 0.0, 0.0)))
        + wp.min(wp.max(wp.max(excess[0], excess[1]), excess[2]), 0.0)
    )
    scene_distance = wp.max(solid_distance, tool_distance)
    occupancy = wp.clamp(0.5 - scene_distance / 0.14, 0.0, 1.0)
    shade = wp.lerp(0.5 + 0.5 * wp.cos(12.0 * wp.clamp(scene_distance, -5.0, 5.0)), 0.2, occupancy)
    shades[p] = shade


LAUNCH = {
    "point_shade": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "half_size": {"values": {"uniform": [0.3, 0.8]}},
            "shades": {"role": "out", "shape": ["n"]},
        },
    },
}
