"""Kernels of the category gather_scatter, seed 0.

Indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes.
"""

import warp as wp


LOWEST = wp.constant(-3.4028234663852886e38)


@wp.struct
class EdgeParams:
    """Parameters of all edges."""

    damping: float


@wp.kernel
def compute_damped_tension(
    sources: wp.array(dtype=wp.int32),
    positions: wp.array(dtype=wp.vec2),
    targets: wp.array(dtype=wp.int32),
    rest_lengths: wp.array(dtype=wp.float32),
    stiffnesses: wp.array(dtype=wp.float32),
    velocities: wp.array(dtype=wp.vec2),
    count: int,
    options: EdgeParams,
    max_tension: wp.array(dtype=wp.float32),
):
    """Largest damped Hooke tension of all edges. One atomic per block."""
    block, thread = wp.tid()
    edge = block * 64 + thread
    tension = float(LOWEST)
    if edge < count:
        source = sources[edge]
        source_position = positions[source]
        target = targets[edge]
        target_position = positions[target]
        offset = target_position - source_position
        length = wp.length(offset)
        rest_length = rest_lengths[edge]
        strain = (length - rest_length) / rest_length
        stiffness = stiffnesses[edge]
        source_velocity = velocities[source]
        target_velocity = velocities[target]
        tension = (
            stiffness * strain
            + options.damping
            * (wp.dot(target_velocity - source_velocity, offset) / wp.max(length, 0.001))
        )
    block_largest = wp.tile_max(wp.tile(tension))
    if thread == 0:
        wp.atomic_max(max_tension, 0, block_largest[0])


LAUNCH = {
    "compute_damped_tension": {
        "sizes": {"num_nodes": "max(n // 3, 1)"},
        "difficulty": "expert",
        "dims": ["(n + 63) // 64"],
        "block_dim": 64,
        "parameters": {
            "sources": {"role": "in", "shape": ["n"], "values": {"integers": [0, "num_nodes"]}},
            "positions": {"role": "in", "shape": ["num_nodes"], "values": {"uniform": [-1.0, 1.0]}},
            "targets": {"role": "in", "shape": ["n"], "values": {"integers": [0, "num_nodes"]}},
            "rest_lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 1.0]}},
            "stiffnesses": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 20.0]}},
            "velocities": {"role": "in", "shape": ["num_nodes"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "options": {"values": {"members": {"damping": {"uniform": [0.1, 1.0]}}}},
            "max_tension": {"role": "inout", "shape": ["1"], "values": {"constant": -3.4028234663852886e38}},
        },
    },
}

MADE_OF = {
    "compute_damped_tension": {"goal": "edges.damped_tension", "ending": "largest_by_blocks", "formulas": ["edges.damped_tension", "edges.edge_offset", "edges.euclidean_length", "edges.edge_strain"]},
}
