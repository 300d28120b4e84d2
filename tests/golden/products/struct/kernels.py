"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


@wp.struct
class Sphere:
    """Sphere with its center and radius."""

    center: wp.vec3
    radius: float


@wp.struct
class Ray:
    """Ray with its origin and direction."""

    origin: wp.vec3
    direction: wp.vec3


@wp.func
def exit_distance(sphere: Sphere, origin: wp.vec3, direction: wp.vec3):
    """Return the distance along a ray from inside a sphere to where it leaves."""
    offset = origin - sphere.center
    b = wp.dot(offset, direction)
    c = wp.dot(offset, offset) - sphere.radius * sphere.radius
    return wp.sqrt(b * b - c) - b


@wp.kernel
def leave_sphere(rays: wp.array(dtype=Ray), sphere: Sphere, distances: wp.array(dtype=float)):
    """Find the distance at which rays that start inside a sphere leave it."""
    i = wp.tid()
    ray = rays[i]
    direction = wp.normalize(ray.direction)
    t = exit_distance(sphere, ray.origin, direction)
    distances[i] = t


LAUNCH = {
    "leave_sphere": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "rays": {"role": "in", "shape": ["n"], "values": {"members": {"origin": {"uniform": [-0.5, 0.5]}, "direction": {"uniform": [0.1, 1.0]}}}},
            "sphere": {"values": {"members": {"center": {"uniform": [-0.3, 0.3]}, "radius": {"uniform": [2.0, 3.0]}}}},
            "distances": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "leave_sphere": {"goal": "struct.ray_sphere", "ending": "written", "formulas": []},
}
