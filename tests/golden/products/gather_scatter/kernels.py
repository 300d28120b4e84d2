"""Kernels of the category gather_scatter, seed 0.

Indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides.
"""

import warp as wp


@wp.kernel
def adjacency_sum(
    neighbors: wp.array2d(dtype=wp.int32),
    values: wp.array(dtype=wp.float32),
    degrees: wp.array(dtype=wp.int32),
    num_nodes: int,
    bound: float,
    aggregate_totals: wp.array(dtype=wp.float32),
):
    """Graph Laplacian: differences to the neighbours of each node, summed; lists have a length. A
    soft limit keeps the aggregate within bound of zero. The result is subtracted from a running
    total."""
    node = wp.tid()
    if node >= num_nodes:
        return
    degree = degrees[node]
    own = values[node]
    total = float(0.0)
    for slot in range(degree):
        total += values[neighbors[node, slot]] - own
    aggregate_totals[node] -= total / (1.0 + wp.abs(total) / bound)


LAUNCH = {
    "adjacency_sum": {
        "sizes": {"slots": "8"},
        "difficulty": "medium",
        "dims": ["(n + 63) // 64 * 64"],
        "parameters": {
            "neighbors": {"role": "in", "shape": ["n", "slots"], "values": {"integers": [0, "n"]}},
            "values": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "degrees": {"role": "in", "shape": ["n"], "values": {"integers": [0, 9]}},
            "num_nodes": {"values": {"size": "n"}},
            "bound": {"values": {"uniform": [10.0, 16.0]}},
            "aggregate_totals": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
