"""Kernels of the category spring, seed 0.

Springs and oscillators: tension, damping, constraints, cloth, chains, pendulums, synchrony.
"""

import warp as wp


BENDING_STIFFNESS = wp.constant(0.1)


@wp.kernel
def eval_wing_forces(
    positions: wp.array(dtype=wp.vec3),
    hinge_vertices: wp.array2d(dtype=wp.int32),
    rest_angles: wp.array(dtype=wp.float32),
    wing_forces: wp.array(dtype=wp.vec3),
):
    """Bending force on the second triangle's corner."""
    h = wp.tid()
    x0 = positions[hinge_vertices[h, 0]]
    x1 = positions[hinge_vertices[h, 1]]
    edge = x1 - x0
    x2 = positions[hinge_vertices[h, 2]]
    first_normal = wp.cross(x1 - x0, x2 - x0)
    x3 = positions[hinge_vertices[h, 3]]
    second_normal = wp.cross(x3 - x0, x1 - x0)
    sine = wp.dot(wp.cross(first_normal, second_normal), wp.normalize(edge))
    bend_angle = wp.atan2(sine, wp.dot(first_normal, second_normal))
    bending_moment = BENDING_STIFFNESS * (bend_angle - rest_angles[h])
    edge_length = wp.length(edge)
    wing_forces[h] = (
        bending_moment
        * edge_length
        / wp.max(wp.dot(second_normal, second_normal), 0.01)
        * second_normal
    )


LAUNCH = {
    "eval_wing_forces": {
        "sizes": {"node_count": "n + 1"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["node_count"], "values": {"uniform": [-1.0, 1.0]}},
            "hinge_vertices": {"role": "in", "shape": ["n", "4"], "values": {"integers": [0, "node_count"]}},
            "rest_angles": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "wing_forces": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eval_wing_forces": {"goal": "springs.second_wing_force", "ending": "per_element", "formulas": ["springs.second_wing_force", "springs.angle_moment", "springs.signed_bend_angle", "springs.shared_edge", "springs.first_wing_normal", "springs.second_wing_normal", "springs.shared_edge_length"]},
}
