"""Kernels of the category spring, seed 0.

Springs and oscillators: tension, damping, constraints, cloth, chains, pendulums, synchrony.
"""

import warp as wp


BENDING_STIFFNESS = wp.constant(1.2)


@wp.kernel
def hinge_wing_force(
    positions: wp.array(dtype=wp.vec3),
    hinge_vertices: wp.array(dtype=wp.int32),
    rest_angles: wp.array(dtype=wp.float32),
    wing_forces: wp.array(dtype=wp.vec3),
):
    """Compute the wing force of each hinge on the corner of the second triangle. Take the bend
    angle with a sign from both normals and the edge, and the wing area from both triangles. The
    bending moment is that of a discrete shell."""
    i = wp.tid()
    v0 = hinge_vertices[4 * i]
    x0 = positions[v0]
    v1 = hinge_vertices[4 * i + 1]
    x1 = positions[v1]
    edge = x1 - x0
    v2 = hinge_vertices[4 * i + 2]
    x2 = positions[v2]
    first_normal = wp.cross(x1 - x0, x2 - x0)
    v3 = hinge_vertices[4 * i + 3]
    x3 = positions[v3]
    second_normal = wp.cross(x3 - x0, x1 - x0)
    turn = wp.dot(wp.cross(first_normal, second_normal), wp.normalize(edge))
    bend_angle = wp.atan2(turn, wp.dot(first_normal, second_normal))
    rest_angle = rest_angles[i]
    edge_length = wp.length(edge)
    wing_area = 0.5 * (wp.length(first_normal) + wp.length(second_normal))
    shape = edge_length * edge_length / wp.max(wing_area, 0.01)
    bending_moment = 6.0 * BENDING_STIFFNESS * shape * (bend_angle - rest_angle)
    wing_force = (
        bending_moment
        * edge_length
        / wp.max(wp.dot(second_normal, second_normal), 0.01)
        * second_normal
    )
    wing_forces[i] = wing_force


LAUNCH = {
    "hinge_wing_force": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "hinge_vertices": {"role": "in", "shape": ["4 * n"], "values": {"integers": [0, "n"]}},
            "rest_angles": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "wing_forces": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "hinge_wing_force": {"goal": "springs.second_wing_force", "ending": "per_element", "formulas": ["springs.second_wing_force", "springs.shell_moment", "springs.signed_bend_angle", "springs.shared_edge", "springs.first_wing_normal", "springs.second_wing_normal", "springs.shared_edge_length", "springs.both_wing_areas"]},
}
