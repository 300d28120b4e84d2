"""Kernels of the category vector, seed 0.

Vectors of two to four components: dot, cross, length, normalize, componentwise work.
"""

import warp as wp


@wp.kernel
def surface_response(
    incomings: wp.array4d(dtype=wp.vec3),
    surface_normals: wp.array4d(dtype=wp.vec3),
    incoming_origin: wp.vec3,
    total_threads: int,
    steps: int,
    depth: int,
    height: int,
    width: int,
    lobe_x: wp.array4d(dtype=wp.float32),
    lobe_y: wp.array4d(dtype=wp.float32),
    lobe_z: wp.array4d(dtype=wp.float32),
):
    """Normal weighted by an arctangent of the cosine, with a part of the direction. Each component
    has an array of its own."""
    tid = wp.tid()
    for linear in range(tid, steps * depth * height * width, total_threads):
        t = linear // (depth * height * width)
        rest = linear % (depth * height * width)
        z = rest // (height * width)
        other_rest = rest % (height * width)
        y = other_rest // width
        x = other_rest % width
        incoming = incomings[t, z, y, x]
        relative_incoming = incoming - incoming_origin
        surface_normal = surface_normals[t, z, y, x]
        normal = wp.normalize(surface_normal)
        along = wp.dot(relative_incoming, normal)
        lobe = wp.atan(along) * normal + 0.15 * relative_incoming
        lobe_x[t, z, y, x] = lobe[0]
        lobe_y[t, z, y, x] = lobe[1]
        lobe_z[t, z, y, x] = lobe[2]


LAUNCH = {
    "surface_response": {
        "sizes": {"steps": "3", "depth": "2", "height": "4", "width": "(n + 23) // 24", "threads": "min(steps * depth * height * width, 512)"},
        "difficulty": "expert",
        "dims": ["threads"],
        "parameters": {
            "incomings": {"role": "in", "shape": ["steps", "depth", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "surface_normals": {"role": "in", "shape": ["steps", "depth", "height", "width"], "values": {"uniform": [0.1, 1.0]}},
            "incoming_origin": {"values": {"uniform": [-0.2, 0.2]}},
            "total_threads": {"values": {"size": "threads"}},
            "steps": {"values": {"size": "steps"}},
            "depth": {"values": {"size": "depth"}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "lobe_x": {"role": "out", "shape": ["steps", "depth", "height", "width"]},
            "lobe_y": {"role": "out", "shape": ["steps", "depth", "height", "width"]},
            "lobe_z": {"role": "out", "shape": ["steps", "depth", "height", "width"]},
        },
    },
}
