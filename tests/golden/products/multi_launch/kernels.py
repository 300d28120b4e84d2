"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid.
"""

import warp as wp


@wp.kernel
def improve_relaxed_jacobi_unknown(
    unknowns: wp.array(dtype=wp.float32),
    right_sides: wp.array(dtype=wp.float32),
    diagonals: wp.array(dtype=wp.float32),
    row_offsets: wp.array(dtype=wp.int32),
    columns: wp.array(dtype=wp.int32),
    values: wp.array(dtype=wp.float32),
    relaxation: float,
    next_unknowns: wp.array(dtype=wp.float32),
):
    """Improve the unknown of each equation by a relaxed Jacobi step. For this, the row product is
    computed with a symmetrically scaled matrix, then the residual as the right side less the row
    product."""
    row = wp.tid()
    unknown = unknowns[row]
    right_side = right_sides[row]
    scaled = float(0.0)
    for p in range(row_offsets[row], row_offsets[row + 1]):
        j = columns[p]
        scaled += values[p] * unknowns[j] / wp.sqrt(diagonals[j])
    row_product = unknown - scaled / wp.sqrt(diagonals[row])
    residual = right_side - row_product
    diagonal = diagonals[row]
    new_unknown = unknown + relaxation * residual / diagonal
    next_unknowns[row] = new_unknown


LAUNCH = {
    "equation_unknown": {
        "description": "Improve the unknown of each equation by a relaxed Jacobi step, 4 times.",
        "sizes": {"nonzeros": "4 * n + 4"},
        "difficulty": "medium",
        "steps": [
            {"repeat": 2, "steps": [
                {
                    "kernel": "improve_relaxed_jacobi_unknown",
                    "dims": ["n"],
                    "arguments": {"unknowns": "unknowns", "next_unknowns": "next_unknowns", "right_sides": "right_sides", "diagonals": "diagonals", "row_offsets": "row_offsets", "columns": "columns", "values": "values", "relaxation": "relaxation"},
                },
                {
                    "kernel": "improve_relaxed_jacobi_unknown",
                    "dims": ["n"],
                    "arguments": {"unknowns": "next_unknowns", "next_unknowns": "unknowns", "right_sides": "right_sides", "diagonals": "diagonals", "row_offsets": "row_offsets", "columns": "columns", "values": "values", "relaxation": "relaxation"},
                },
            ]},
        ],
        "parameters": {
            "right_sides": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "diagonals": {"role": "in", "shape": ["n"], "values": {"uniform": [2.0, 5.0]}},
            "row_offsets": {"role": "in", "shape": ["n + 1"], "values": {"offsets": [4, 4]}},
            "columns": {"role": "in", "shape": ["nonzeros"], "values": {"integers": [0, "n"]}},
            "values": {"role": "in", "shape": ["nonzeros"], "values": {"uniform": [-1.0, 1.0]}},
            "unknowns": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "next_unknowns": {"role": "out", "shape": ["n"]},
            "relaxation": {"values": {"uniform": [0.4, 0.95]}},
        },
    },
}

PARTS = ["improve_relaxed_jacobi_unknown"]
