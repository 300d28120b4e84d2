"""Kernels of the category gather_scatter, seed 0.

Indirect access: graphs in CSR, bones of a skin, nodes of a mesh.
"""

import warp as wp


@wp.kernel
def ell_spmv(
    columns: wp.array2d(dtype=int),
    values: wp.array2d(dtype=float),
    x: wp.array(dtype=float),
    y: wp.array(dtype=float),
):
    """Multiply a matrix in ELLPACK form by a vector. values[k, row] is entry k of a row, so that
    neighboring threads read neighboring elements; a column of -1 marks the padding of short
    rows."""
    row = wp.tid()
    total = float(0.0)
    for k in range(columns.shape[0]):
        column = columns[k, row]
        if column >= 0:
            total += values[k, row] * x[column]
    y[row] = total


LAUNCH = {
    "ell_spmv": {
        "difficulty": "hard",
        "sizes": {"width": "6"},
        "dims": ["n"],
        "parameters": {
            "columns": {"role": "in", "shape": ["width", "n"], "values": {"integers": [-1, "n"]}},
            "values": {"role": "in", "shape": ["width", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "ell_spmv": {"goal": "gather_scatter.ell_spmv", "ending": "written", "formulas": []},
}
