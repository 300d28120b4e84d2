"""Kernels of the category vector, seed 0.

Vectors of two to four components: dot, cross, length, normalize, componentwise work.
"""

import warp as wp


@wp.kernel
def surface_response(
    enabled: wp.array2d(dtype=wp.int32),
    incomings: wp.array2d(dtype=wp.vec3),
    surface_normals: wp.array2d(dtype=wp.vec3),
    reflections: wp.array2d(dtype=wp.vec3),
    magnitudes: wp.array2d(dtype=wp.float32),
    incoming_origin: wp.vec3,
):
    """Direction reflected at a surface with losses. Elements that are not enabled are skipped. The
    magnitude of the reflection is stored as well."""
    row, col = wp.tid()
    if enabled[row, col] == 0:
        return
    incoming = incomings[row, col]
    relative_incoming = incoming - incoming_origin
    surface_normal = surface_normals[row, col]
    normal = wp.normalize(surface_normal)
    along = wp.dot(relative_incoming, normal)
    reflection = relative_incoming - 1.3 * along * normal
    reflections[row, col] = reflection
    magnitudes[row, col] = wp.length(reflection)


LAUNCH = {
    "surface_response": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "dims": ["rows", "cols"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "incomings": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "surface_normals": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.1, 1.0]}},
            "reflections": {"role": "out", "shape": ["rows", "cols"]},
            "magnitudes": {"role": "out", "shape": ["rows", "cols"]},
            "incoming_origin": {"values": {"uniform": [-0.2, 0.2]}},
        },
    },
}
