"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


@wp.func
def torus_distance(local_point: wp.vec3, radius: float, tube_radius: float):
    """Signed distance of a torus."""
    return (
        wp.length(
            wp.vec2(wp.length(wp.vec2(local_point[0], local_point[2])) - radius, local_point[1])
        )
        - tube_radius
    )


@wp.kernel
def compute_volsdf_density(
    points: wp.array(dtype=wp.vec3),
    center: wp.vec3,
    radius: float,
    tube_radius: float,
    sharpness: float,
    occupancies: wp.array(dtype=wp.float32),
):
    """Compute the VolSDF density from a signed distance."""
    p = wp.tid()
    local_point = points[p] - center
    solid_distance = torus_distance(local_point, radius, tube_radius)
    tool_distance = (
        wp.length(
            wp.vec2(wp.length(wp.vec2(local_point[0], local_point[2])) - radius, local_point[1])
        )
        - tube_radius
    )
    scene_distance = wp.max(solid_distance, tool_distance)
    tail = 0.5 * wp.exp(-(wp.abs(scene_distance) / sharpness))
    occupancies[p] = wp.where(scene_distance > 0.0, tail, 1.0 - tail)


LAUNCH = {
    "compute_volsdf_density": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "center": {"values": {"uniform": [-0.4, 0.4]}},
            "radius": {"values": {"uniform": [0.4, 0.9]}},
            "tube_radius": {"values": {"uniform": [0.1, 0.3]}},
            "sharpness": {"values": {"uniform": [0.1, 0.5]}},
            "occupancies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_volsdf_density": {"goal": "rays.laplace_density", "ending": "per_element", "formulas": ["rays.laplace_density", "rays.intersection_distance", "rays.torus_distance", "rays.centered", "rays.torus_tool"]},
}
