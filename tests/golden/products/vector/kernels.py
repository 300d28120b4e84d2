"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection.
"""

import warp as wp


@wp.func
def rodrigues(v: wp.vec3, axis: wp.vec3, angle: float):
    """Return v rotated about a unit axis by an angle in radians, by Rodrigues' formula."""
    c = wp.cos(angle)
    return c * v + wp.sin(angle) * wp.cross(axis, v) + (1.0 - c) * wp.dot(axis, v) * axis


@wp.kernel
def rodrigues_batch(
    x: wp.array(dtype=wp.vec3),
    axes: wp.array(dtype=wp.vec3),
    angles: wp.array(dtype=float),
    y: wp.array(dtype=wp.vec3),
):
    """Rotate each point by its own angle in radians about its own unit axis, by Rodrigues'
    formula."""
    i = wp.tid()
    y[i] = rodrigues(x[i], axes[i], angles[i])


LAUNCH = {
    "rodrigues_batch": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "axes": {"role": "in", "shape": ["n"], "values": {"unit": [0.2, 1.0]}},
            "angles": {"role": "in", "shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "rodrigues_batch": {"goal": "vector.rodrigues_rotation", "ending": "written", "formulas": []},
}
