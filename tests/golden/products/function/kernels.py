"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


MAX_STEPS = wp.constant(24)


@wp.func
def sd_box(p: wp.vec3, half: wp.vec3):
    """Signed distance to an axis-aligned box."""
    q = wp.vec3(wp.abs(p[0]), wp.abs(p[1]), wp.abs(p[2])) - half
    outside = wp.length(wp.max(q, wp.vec3()))
    return outside + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)


@wp.func
def scene(p: wp.vec3, radius: float):
    """Signed distance to the scene: a ball and a box."""
    ball = wp.length(p) - radius
    other = sd_box(p, wp.vec3(0.6, 0.4, 0.5))
    return wp.min(ball, other)


@wp.kernel
def sphere_trace(
    origins: wp.array(dtype=wp.vec3),
    directions: wp.array(dtype=wp.vec3),
    radius: float,
    depths: wp.array(dtype=float),
):
    """Sphere-trace each ray for a fixed number of steps."""
    i = wp.tid()
    origin = origins[i]
    direction = wp.normalize(directions[i])
    t = float(0.0)
    for _step in range(MAX_STEPS):
        t += scene(origin + t * direction, radius)
    depths[i] = t


LAUNCH = {
    "sphere_trace": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "origins": {"role": "in", "shape": ["n"], "values": {"uniform": [1.6, 1.9]}},
            "directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, -0.85]}},
            "radius": {"values": {"uniform": [0.6, 1.0]}},
            "depths": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sphere_trace": {"goal": "function.sdf_scene", "ending": "written", "formulas": []},
}
