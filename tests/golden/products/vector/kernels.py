"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


@wp.kernel
def ellipsoid_distance(
    points: wp.array(dtype=wp.vec3),
    radii: wp.vec3,
    distances: wp.array(dtype=float),
    normals: wp.array(dtype=wp.vec3),
):
    """Approximate the signed distance of points to an ellipsoid about the origin to first order,
    and compute the normal of the level surface through each point. radii are the semi-axes, and the
    distance is negative inside."""
    i = wp.tid()
    p = points[i]
    scaled = wp.cw_div(p, radii)
    gradient = wp.cw_div(scaled, radii)
    k = wp.length(scaled)
    # |scaled| - 1 over the length of its gradient
    distances[i] = k * (k - 1.0) / wp.length(gradient)
    normals[i] = wp.normalize(gradient)


LAUNCH = {
    "ellipsoid_distance": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "radii": {"values": {"uniform": [0.5, 1.5]}},
            "distances": {"role": "out", "shape": ["n"]},
            "normals": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "ellipsoid_distance": {"goal": "vector.closest_points", "ending": "written", "formulas": []},
}
