"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection.
"""

import warp as wp


@wp.func
def closest_on_segment(point: wp.vec2, start: wp.vec2, end: wp.vec2):
    """Return the closest point of the segment from start to end."""
    along = end - start
    t = wp.dot(point - start, along) / wp.length_sq(along)
    return start + wp.clamp(t, 0.0, 1.0) * along


@wp.kernel
def polyline_distance(
    points: wp.array(dtype=wp.vec2),
    corners: wp.array(dtype=wp.vec2),
    distances: wp.array(dtype=float),
):
    """Compute the distance to the nearest segment of a polyline."""
    i = wp.tid()
    nearest = float(wp.inf)
    for s in range(corners.shape[0] - 1):
        foot = closest_on_segment(points[i], corners[s], corners[s + 1])
        nearest = wp.min(nearest, wp.length_sq(points[i] - foot))
    distances[i] = wp.sqrt(nearest)


LAUNCH = {
    "polyline_distance": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "corners": {"role": "in", "shape": ["33"], "values": {"uniform": [-1.0, 1.0]}},
            "distances": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "polyline_distance": {"goal": "vector.closest_point_on_segment", "ending": "written", "formulas": []},
}
