"""Kernels of the category gather_scatter, seed 0.

Indirect access: graphs in CSR, bones of a skin, nodes of a mesh.
"""

import warp as wp


@wp.kernel
def spmv_ellpack(
    columns: wp.array2d(dtype=int),
    values: wp.array2d(dtype=float),
    x: wp.array(dtype=float),
    width: int,
    y: wp.array(dtype=float),
):
    """Multiply a matrix in ELLPACK form by a vector. Storage row k holds entry k of every matrix
    row."""
    row = wp.tid()
    total = float(0.0)
    for k in range(width):
        total += values[k, row] * x[columns[k, row]]
    y[row] = total


LAUNCH = {
    "spmv_ellpack": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "columns": {"role": "in", "shape": ["6", "n"], "values": {"integers": [0, "n"]}},
            "values": {"role": "in", "shape": ["6", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "width": {"values": {"size": "6"}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "spmv_ellpack": {"goal": "gather_scatter.ell_spmv", "ending": "written", "formulas": []},
}
