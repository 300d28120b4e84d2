"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, arms, points that cameras see.
"""

import warp as wp


@wp.func
def torus_distance(p: wp.vec3, size: wp.vec2):
    """Return the signed distance of a point to a torus about the origin, negative inside."""
    ring = wp.length(wp.vec2(p[0], p[2])) - size[0]
    return wp.length(wp.vec2(ring, p[1])) - size[1]


@wp.kernel
def collide_particles_with_torus(
    positions: wp.array(dtype=wp.vec3),
    velocities: wp.array(dtype=wp.vec3),
    pose: wp.transform,
    size: wp.vec2,
    stiffness: float,
    damping: float,
    friction: float,
    forces: wp.array(dtype=wp.vec3),
):
    """Compute the penalty forces of a posed torus on particles that penetrate it, with damping
    along the normal and regularized Coulomb friction. size is (large radius, small radius) about
    y."""
    i = wp.tid()
    p = wp.transform_point(wp.transform_inverse(pose), positions[i])
    depth = wp.max(-torus_distance(p, size), 0.0)
    h = 0.05
    x = wp.vec3(h, 0.0, 0.0)
    y = wp.vec3(0.0, h, 0.0)
    z = wp.vec3(0.0, 0.0, h)
    gradient = wp.vec3(
        torus_distance(p + x, size) - torus_distance(p - x, size),
        torus_distance(p + y, size) - torus_distance(p - y, size),
        torus_distance(p + z, size) - torus_distance(p - z, size),
    )
    normal = wp.transform_vector(pose, wp.normalize(gradient))
    velocity = velocities[i]
    approach = wp.min(wp.dot(velocity, normal), 0.0)
    # damping grows with the depth, so that the force has no jump
    pressure = stiffness * depth - damping * depth * approach
    slip = velocity - wp.dot(velocity, normal) * normal
    slip_speed = wp.sqrt(wp.length_sq(slip) + 1.0e-4)
    forces[i] = pressure * normal - friction * pressure / slip_speed * slip


LAUNCH = {
    "collide_particles_with_torus": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "pose": {"values": {"uniform": [0.45, 0.55]}},
            "size": {"values": {"uniform": [0.4, 0.8]}},
            "stiffness": {"values": {"uniform": [50.0, 200.0]}},
            "damping": {"values": {"uniform": [5.0, 20.0]}},
            "friction": {"values": {"uniform": [0.2, 0.6]}},
            "forces": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "collide_particles_with_torus": {"goal": "transform.shape_contacts", "ending": "written", "formulas": []},
}
