"""Kernels of the category gather_scatter, seed 0.

Indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes.
"""

import warp as wp


@wp.kernel
def graph_convolution(
    row_start: wp.array(dtype=int),
    neighbors: wp.array(dtype=int),
    features: wp.array2d(dtype=float),
    inv_sqrt_degree: wp.array(dtype=float),
    aggregated: wp.array2d(dtype=float),
):
    """Graph convolution: features of the neighbors, normalised symmetrically by the degrees."""
    node, c = wp.tid()
    total = float(0.0)
    for e in range(row_start[node], row_start[node + 1]):
        other = neighbors[e]
        total += inv_sqrt_degree[other] * features[other, c]
    aggregated[node, c] = inv_sqrt_degree[node] * total


LAUNCH = {
    "graph_convolution": {
        "sizes": {"nodes": "n // 32 + 2", "edges": "3 * nodes + 3"},
        "difficulty": "hard",
        "dims": ["nodes", "32"],
        "parameters": {
            "row_start": {"role": "in", "shape": ["nodes + 1"], "values": {"offsets": [3, 3]}},
            "neighbors": {"role": "in", "shape": ["edges"], "values": {"integers": [0, "nodes"]}},
            "features": {"role": "in", "shape": ["nodes", "32"], "values": {"uniform": [-1.0, 1.0]}},
            "inv_sqrt_degree": {"role": "in", "shape": ["nodes"], "values": {"uniform": [0.3, 1.0]}},
            "aggregated": {"role": "out", "shape": ["nodes", "32"]},
        },
    },
}

MADE_OF = {
    "graph_convolution": {"goal": "gather_scatter.edge_aggregate", "ending": "written", "formulas": []},
}
