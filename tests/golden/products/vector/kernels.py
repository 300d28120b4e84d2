"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


SHARPNESS = wp.constant(0.12)


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


@wp.kernel
def point_occupancy(
    local_points: wp.array(dtype=wp.vec3),
    half_size: wp.vec3,
    radius: float,
    tube_radius: float,
    occupancies: wp.array(dtype=wp.float32),
):
    """Compute the occupancy of each point by the cumulative Laplace distribution of the distance.
    Take the distance from a cuboid and the tool distance from a torus. The scene distance is that
    of the solid with the tool cut away."""
    p = wp.tid()
    local_point = local_points[p]
    excess = wp.abs(local_point) - half_size
    solid_distance = (
        wp.length(wp.max(excess, wp.vec3(0.0, 0.0, 0.0)))
        + wp.min(wp.max(wp.max(excess[0], excess[1]), excess[2]), 0.0)
    )
    scene_distance = subtraction_distance(solid_distance, local_point, radius, tube_radius)
    tail = 0.5 * wp.exp(-(wp.abs(scene_distance) / SHARPNESS))
    occupancy = wp.where(scene_distance > 0.0, tail, 1.0 - tail)
    occupancies[p] = occupancy


LAUNCH = {
    "point_occupancy": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "local_points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "half_size": {"values": {"uniform": [0.3, 0.8]}},
            "radius": {"values": {"uniform": [0.4, 0.9]}},
            "tube_radius": {"values": {"uniform": [0.1, 0.3]}},
            "occupancies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "point_occupancy": {"goal": "rays.laplace_density", "ending": "per_element", "formulas": ["rays.laplace_density", "rays.subtraction_distance", "rays.cuboid_distance", "rays.torus_tool"]},
}
