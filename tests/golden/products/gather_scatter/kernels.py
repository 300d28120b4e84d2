"""Kernels of the category gather_scatter, seed 0.

Indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes.
"""

import warp as wp


DAMPING = wp.constant(0.9)


@wp.kernel
def damped_tension_kernel(
    sources: wp.array(dtype=wp.int32),
    positions: wp.array(dtype=wp.vec2),
    targets: wp.array(dtype=wp.int32),
    rest_lengths: wp.array(dtype=wp.float16),
    stiffnesses: wp.array(dtype=wp.float16),
    velocities: wp.array(dtype=wp.vec2),
    tensions: wp.array(dtype=wp.float16),
):
    """Compute the tension of each edge by Hooke's law with damping along the edge. Take the length
    from the offset and the strain against the rest length."""
    i = wp.tid()
    source = sources[i]
    source_position = positions[source]
    target = targets[i]
    target_position = positions[target]
    offset = target_position - source_position
    length = wp.length(offset)
    rest_length = float(rest_lengths[i])
    strain = (length - rest_length) / rest_length
    stiffness = float(stiffnesses[i])
    source_velocity = velocities[source]
    target_velocity = velocities[target]
    tension = (
        stiffness * strain
        + DAMPING * (wp.dot(target_velocity - source_velocity, offset) / wp.max(length, 0.001))
    )
    tensions[i] = wp.float16(tension)


LAUNCH = {
    "damped_tension_kernel": {
        "sizes": {"num_nodes": "max(n // 3, 1)"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "sources": {"role": "in", "shape": ["n"], "values": {"integers": [0, "num_nodes"]}},
            "positions": {"role": "in", "shape": ["num_nodes"], "values": {"uniform": [-1.0, 1.0]}},
            "targets": {"role": "in", "shape": ["n"], "values": {"integers": [0, "num_nodes"]}},
            "rest_lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 1.0]}},
            "stiffnesses": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 20.0]}},
            "velocities": {"role": "in", "shape": ["num_nodes"], "values": {"uniform": [-1.0, 1.0]}},
            "tensions": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "damped_tension_kernel": {"goal": "edges.damped_tension", "ending": "per_element", "formulas": ["edges.damped_tension", "edges.edge_offset", "edges.euclidean_length", "edges.edge_strain"]},
}
