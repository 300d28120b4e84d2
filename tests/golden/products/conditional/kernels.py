"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def pack_octahedral_code(
    normals: wp.array(dtype=wp.vec3),
    packed_normals: wp.array(dtype=wp.uint32),
):
    """Pack the normal of each point into 16 bits a coordinate of an octahedron."""
    idx = wp.tid()
    normal = normals[idx]
    size = wp.max(wp.abs(normal[0]) + wp.abs(normal[1]) + wp.abs(normal[2]), 0.001)
    u = normal[0] / size
    v = normal[1] / size
    if normal[2] < 0.0:
        folded = (1.0 - wp.abs(v)) * wp.sign(u)
        v = (1.0 - wp.abs(u)) * wp.sign(v)
        u = folded
    packed_normal = (
        (wp.uint32(wp.round(32767.5 * (v + 1.0))) << wp.uint32(16))
        | wp.uint32(wp.round(32767.5 * (u + 1.0)))
    )
    packed_normals[idx] = packed_normal


LAUNCH = {
    "pack_octahedral_code": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "normals": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "packed_normals": {"role": "out", "shape": ["n"]},
        },
    },
}
