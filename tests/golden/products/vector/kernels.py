"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


@wp.func
def subtraction_distance(
    solid_distance: float,
    local_point: wp.vec3,
    radius: float,
    tube_radius: float,
):
    """Scene distance as that of the solid with the tool cut away."""
    tool_distance = (
        wp.length(
            wp.vec2(wp.length(wp.vec2(local_point[0], local_point[2])) - radius, local_point[1])
        )
        - tube_radius
    )
    return wp.max(solid_distance, -tool_distance)


@wp.func
def soft_occupancy(scene_distance: float):
    """Occupancy with a soft border."""
    return wp.clamp(0.5 - scene_distance / 0.32, 0.0, 1.0)


@wp.kernel
def point_shade(
    local_points: wp.array(dtype=wp.vec3),
    half_size: wp.vec3,
    radius: float,
    tube_radius: float,
    shades: wp.array(dtype=wp.float32),
):
    """Compute the shade of each point from level lines outside of the solid. The scene distance is
    computed as that of the solid with the tool cut away, and the occupancy with a soft border."""
    p = wp.tid()
    local_point = local_points[p]
    excess = wp.abs(local_point) - half_size
    solid_distance = (
        wp.length(wp.max(excess, wp.vec3(0.0, 0.0, 0.0)))
        + wp.min(wp.max(wp.max(excess[0], excess[1]), excess[2]), 0.0)
    )
    scene_distance = subtraction_distance(solid_distance, local_point, radius, tube_radius)
    occupancy = soft_occupancy(scene_distance)
    shade = wp.lerp(0.5 + 0.5 * wp.cos(12.0 * wp.clamp(scene_distance, -5.0, 5.0)), 0.2, occupancy)
    shades[p] = shade


LAUNCH = {
    "point_shade": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "local_points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "half_size": {"values": {"uniform": [0.3, 0.8]}},
            "radius": {"values": {"uniform": [0.4, 0.9]}},
            "tube_radius": {"values": {"uniform": [0.1, 0.3]}},
            "shades": {"role": "out", "shape": ["n"]},
        },
    },
}
