"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


@wp.func
def repeated(point: wp.vec3, spacing: float):
    """Repeat in a grid."""
    return (
        point
        - spacing
        * wp.vec3(
            wp.rint(point[0] / spacing), wp.rint(point[1] / spacing), wp.rint(point[2] / spacing)
        )
    )


@wp.kernel
def eval_solid_distances(
    points: wp.array(dtype=wp.vec3),
    spacing: float,
    half_size: wp.vec3,
    solid_distances: wp.array(dtype=wp.float32),
):
    """Compute the signed distance of a cuboid."""
    p = wp.tid()
    local_point = repeated(points[p], spacing)
    excess = wp.abs(local_point) - half_size
    solid_distances[p] = (
        wp.length(wp.max(excess, wp.vec3(0.0, 0.0, 0.0)))
        + wp.min(wp.max(wp.max(excess[0], excess[1]), excess[2]), 0.0)
    )


LAUNCH = {
    "eval_solid_distances": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "spacing": {"values": {"uniform": [1.5, 3.0]}},
            "half_size": {"values": {"uniform": [0.3, 0.8]}},
            "solid_distances": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eval_solid_distances": {"goal": "rays.cuboid_distance", "ending": "per_element", "formulas": ["rays.cuboid_distance", "rays.repeated"]},
}
