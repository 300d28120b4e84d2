"""Kernels of the category gather_scatter, seed 0.

Indirect access: graphs in CSR, lists of active elements, orders, members of groups, meshes.
"""

import warp as wp


@wp.kernel
def sparse_linear_relu(
    offsets: wp.array(dtype=int),
    indices: wp.array(dtype=int),
    data: wp.array(dtype=wp.float64),
    x: wp.array(dtype=wp.float64),
    bias: wp.array(dtype=wp.float64),
    y: wp.array(dtype=wp.float64),
):
    """Linear layer with sparse weights: y = relu(W x + bias)."""
    row = wp.tid()
    total = wp.float64(0.0)
    for k in range(offsets[row], offsets[row + 1]):
        total += data[k] * x[indices[k]]
    y[row] = wp.max(total + bias[row], wp.float64(0.0))


LAUNCH = {
    "sparse_linear_relu": {
        "sizes": {"entries": "6 * n + 6"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "offsets": {"role": "in", "shape": ["n + 1"], "values": {"offsets": [6, 6]}},
            "indices": {"role": "in", "shape": ["entries"], "values": {"integers": [0, "n"]}},
            "data": {"role": "in", "shape": ["entries"], "values": {"uniform": [-1.0, 1.0]}},
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "bias": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sparse_linear_relu": {"goal": "gather_scatter.csr_spmv", "ending": "written", "formulas": []},
}
