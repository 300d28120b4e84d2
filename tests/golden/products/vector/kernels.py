"""Kernels of the category vector, seed 0.

Vectors of two to four components: dot, cross, length, normalize, componentwise work.
"""

import warp as wp


@wp.kernel
def surface_response(
    previous_incomings: wp.array2d(dtype=wp.vec3),
    incomings: wp.array2d(dtype=wp.vec3),
    surface_normals: wp.array2d(dtype=wp.vec3),
    friction_share: wp.array2d(dtype=wp.float32),
    friction_range: wp.vec2,
    rows: int,
    cols: int,
    slides: wp.array2d(dtype=wp.vec3),
):
    """Motion along a surface, slowed by friction. The output is transposed."""
    linear = wp.tid()
    if linear >= rows * cols:
        return
    j = linear // rows
    i = linear % rows
    mean_incoming = 0.5 * (incomings[i, j] + previous_incomings[i, j])
    surface_normal = surface_normals[i, j]
    normal = wp.normalize(surface_normal)
    along = wp.dot(mean_incoming, normal)
    friction = wp.lerp(friction_range[0], friction_range[1], friction_share[i, j])
    tangent = mean_incoming - along * normal
    slide = (1.0 - friction) * tangent
    slides[j, i] = slide


LAUNCH = {
    "surface_response": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16"},
        "difficulty": "hard",
        "dims": ["(rows * cols + 63) // 64 * 64"],
        "parameters": {
            "previous_incomings": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "incomings": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "surface_normals": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.1, 1.0]}},
            "friction_share": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "friction_range": {"values": {"uniform": [0.1, 0.6]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "slides": {"role": "out", "shape": ["cols", "rows"]},
        },
    },
}
