"""Kernels of the category vector, seed 0.

Vectors of two to four components: dot, cross, length, normalize, componentwise work.
"""

import warp as wp


@wp.kernel
def surface_response(
    active: wp.array(dtype=wp.int32),
    incomings: wp.array(dtype=wp.vec2d),
    surface_normals: wp.array(dtype=wp.vec2d),
    restitutions: wp.array(dtype=wp.float64),
    enabled_flags: wp.array(dtype=wp.int32),
    reflections: wp.array(dtype=wp.vec2d),
    num_items: int,
):
    """Direction reflected at a surface with losses. Elements that are not active are skipped. Where
    enabled_flags[i] is zero, the reflection is halved. The result is added to 0.75 times what is
    stored."""
    tid = wp.tid()
    i = num_items - 1 - tid
    if active[i] == 0:
        return
    incoming = incomings[i]
    surface_normal = surface_normals[i]
    normal = wp.normalize(surface_normal)
    along = wp.dot(incoming, normal)
    reflection = incoming - (wp.float64(1.0) + restitutions[i]) * along * normal
    gated_reflection = wp.where(enabled_flags[i] > 0, reflection, wp.float64(0.5) * reflection)
    reflections[i] = wp.float64(0.75) * reflections[i] + gated_reflection


LAUNCH = {
    "surface_response": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "incomings": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "surface_normals": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "restitutions": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 0.9]}},
            "enabled_flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "reflections": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "num_items": {"values": {"size": "n"}},
        },
    },
}
