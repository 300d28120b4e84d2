"""Kernels of the category spring, seed 0.

Springs: tension, damping, constraints, cloth, networks of particles.
"""

import warp as wp


@wp.kernel
def eval_springs(
    positions: wp.array(dtype=wp.vec3),
    velocities: wp.array(dtype=wp.vec3),
    springs: wp.array(dtype=wp.vec2i),
    rest_lengths: wp.array(dtype=float),
    stiffness: float,
    damping: float,
    forces: wp.array(dtype=wp.vec3),
):
    """Add the force of each damped spring to both its ends. The stiffness is force per unit
    strain."""
    s = wp.tid()
    i = springs[s][0]
    j = springs[s][1]
    d = positions[i] - positions[j]
    length = wp.length(d)
    rest = rest_lengths[s]
    strain = (length - rest) / rest
    tension = stiffness * strain
    # coincident ends have no direction to pull in
    if length > 0.0:
        direction = d / length
        tension += damping * wp.dot(direction, velocities[i] - velocities[j])
        wp.atomic_sub(forces, i, tension * direction)
        wp.atomic_add(forces, j, tension * direction)


LAUNCH = {
    "eval_springs": {
        "sizes": {"particles": "n // 3 + 4"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["particles"], "values": {"uniform": [-5.0, 5.0]}},
            "velocities": {"role": "in", "shape": ["particles"], "values": {"uniform": [-1.0, 1.0]}},
            "springs": {"role": "in", "shape": ["n"], "values": {"integers": [0, "particles"]}},
            "rest_lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 1.5]}},
            "stiffness": {"values": {"uniform": [5.0, 20.0]}},
            "damping": {"values": {"uniform": [0.1, 0.5]}},
            "forces": {"role": "inout", "shape": ["particles"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "eval_springs": {"goal": "spring.mass_spring_forces", "ending": "written", "formulas": []},
}
