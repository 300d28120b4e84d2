"""Kernels of the category spring, seed 0.

Springs and oscillators: tension, damping, constraints, cloth, chains, pendulums, synchrony.
"""

import warp as wp


@wp.func
def stretch_force(p: wp.vec2, other: wp.vec2, rest: float, stiffness: float):
    """Return the force on p of a spring to another point."""
    d = other - p
    length = wp.length(d)
    return stiffness * (length - rest) / length * d


@wp.kernel
def rod_bending_forces(
    points: wp.array(dtype=wp.vec2),
    rest: float,
    stiffness: float,
    bending: float,
    gravity: wp.vec2,
    energies: wp.array(dtype=float),
    forces: wp.array(dtype=wp.vec2),
):
    """Compute the bending energy and the forces of stretching, bending and gravity on each point of
    an elastic rod, whose first two points are clamped. Bending pulls the second differences of the
    points to zero."""
    i = wp.tid()
    count = points.shape[0]
    p = points[i]
    force = gravity
    # the second difference at a point pushes it, and half as much its neighbors
    here = wp.vec2()
    if i > 0 and i < count - 1:
        here = points[i - 1] - 2.0 * p + points[i + 1]
        force += 2.0 * bending * here
    if i > 0:
        force += stretch_force(p, points[i - 1], rest, stiffness)
        if i > 1:
            force -= bending * (points[i - 2] - 2.0 * points[i - 1] + p)
    if i < count - 1:
        force += stretch_force(p, points[i + 1], rest, stiffness)
        if i < count - 2:
            force -= bending * (p - 2.0 * points[i + 1] + points[i + 2])
    energies[i] = 0.5 * bending * wp.length_sq(here)
    if i < 2:
        force = wp.vec2()
    forces[i] = force


LAUNCH = {
    "rod_bending_forces": {
        "sizes": {"count": "n + 4"},
        "difficulty": "easy",
        "dims": ["count"],
        "parameters": {
            "points": {"role": "in", "shape": ["count"], "values": {"uniform": [-1.0, 1.0]}},
            "rest": {"values": {"uniform": [0.3, 0.8]}},
            "stiffness": {"values": {"uniform": [5.0, 20.0]}},
            "bending": {"values": {"uniform": [0.5, 3.0]}},
            "gravity": {"values": {"uniform": [-1.0, -0.2]}},
            "energies": {"role": "out", "shape": ["count"]},
            "forces": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "rod_bending_forces": {"goal": "spring.rod_bending", "ending": "written", "formulas": []},
}
