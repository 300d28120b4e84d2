"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


@wp.struct
class PointState:
    """Arrays over all elements."""

    points: wp.array(dtype=wp.vec3)
    tool_distances: wp.array(dtype=wp.float32)
    scene_distances: wp.array(dtype=wp.float32)


@wp.func
def centered(point: wp.vec3, center: wp.vec3):
    """Local point relative to the center."""
    return point - center


@wp.kernel
def compute_union_distance(state: PointState, center: wp.vec3, radius: float):
    """Compute the scene distance of each point as that of the union of solid and tool, with the
    distance from a torus."""
    i = wp.tid()
    point = state.points[i]
    local_point = centered(point, center)
    solid_distance = (
        wp.length(
            wp.vec2(wp.length(wp.vec2(local_point[0], local_point[2])) - radius, local_point[1])
        )
        - 0.22
    )
    tool_distance = state.tool_distances[i]
    scene_distance = wp.min(solid_distance, tool_distance)
    state.scene_distances[i] = scene_distance


LAUNCH = {
    "compute_union_distance": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "state.points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "state.tool_distances": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 2.0]}},
            "state.scene_distances": {"role": "out", "shape": ["n"]},
            "center": {"values": {"uniform": [-0.4, 0.4]}},
            "radius": {"values": {"uniform": [0.4, 0.9]}},
        },
    },
}

MADE_OF = {
    "compute_union_distance": {"goal": "rays.union_distance", "ending": "per_element", "formulas": ["rays.union_distance", "rays.torus_distance", "rays.centered"]},
}
