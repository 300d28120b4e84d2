"""Kernels of the category vector, seed 0: vectors of two to four components: dot, cross, length, normalize, componentwise work."""

import warp as wp


@wp.kernel
def reflect_direction(
    enabled: wp.array2d(dtype=wp.int32),
    incomings: wp.array2d(dtype=wp.vec3),
    surface_normals: wp.array2d(dtype=wp.vec3),
    outgoings: wp.array2d(dtype=wp.vec3),
):
    """Direction reflected at a surface with losses, where enabled is set."""
    row, col = wp.tid()
    if enabled[row, col] == 0:
        return
    incoming = incomings[row, col]
    surface_normal = surface_normals[row, col]
    normal = wp.normalize(surface_normal)
    along = wp.dot(incoming, normal)
    outgoing = incoming - (1.0 + 0.3) * along * normal
    outgoings[row, col] = outgoing


LAUNCH = {
    "reflect_direction": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "dims": ["rows", "cols"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "incomings": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "surface_normals": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.1, 1.0]}},
            "outgoings": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
