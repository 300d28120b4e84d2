"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid.
"""

import warp as wp


@wp.kernel
def improve_relaxed_jacobi_unknown(
    unknowns: wp.array(dtype=wp.float32),
    right_sides: wp.array(dtype=wp.float32),
    diagonals: wp.array(dtype=wp.float32),
    values: wp.array2d(dtype=wp.float32),
    columns: wp.array2d(dtype=wp.int32),
    num_slots: int,
    next_unknowns: wp.array(dtype=wp.float32),
):
    """Improve the unknown of each equation by a relaxed Jacobi step. For this, the row product is
    computed with the diagonal stored apart, then the residual as the right side less the row
    product."""
    row = wp.tid()
    unknown = unknowns[row]
    right_side = right_sides[row]
    diagonal = diagonals[row]
    rest = float(0.0)
    for p in range(num_slots):
        j = columns[p, row]
        rest += values[p, row] * unknowns[j]
    row_product = diagonal * unknown + rest
    residual = right_side - row_product
    new_unknown = unknown + 0.45 * residual / diagonal
    next_unknowns[row] = new_unknown


LAUNCH = {
    "equation_unknown": {
        "description": "Improve the unknown of each equation by a relaxed Jacobi step, 4 times.",
        "sizes": {"slots": "5"},
        "difficulty": "expert",
        "steps": [
            {"repeat": 2, "steps": [
                {
                    "kernel": "improve_relaxed_jacobi_unknown",
                    "dims": ["n"],
                    "arguments": {"unknowns": "unknowns", "next_unknowns": "next_unknowns", "right_sides": "right_sides", "diagonals": "diagonals", "values": "values", "columns": "columns", "num_slots": "num_slots"},
                },
                {
                    "kernel": "improve_relaxed_jacobi_unknown",
                    "dims": ["n"],
                    "arguments": {"unknowns": "next_unknowns", "next_unknowns": "unknowns", "right_sides": "right_sides", "diagonals": "diagonals", "values": "values", "columns": "columns", "num_slots": "num_slots"},
                },
            ]},
        ],
        "parameters": {
            "right_sides": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "diagonals": {"role": "in", "shape": ["n"], "values": {"uniform": [2.0, 5.0]}},
            "values": {"role": "in", "shape": ["slots", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "columns": {"role": "in", "shape": ["slots", "n"], "values": {"integers": [0, "n"]}},
            "unknowns": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "next_unknowns": {"role": "out", "shape": ["n"]},
            "num_slots": {"values": {"size": "slots"}},
        },
    },
}

MADE_OF = {
    "equation_unknown": {"goal": "equations.relaxed_jacobi_unknown", "ending": "stepped", "formulas": ["equations.relaxed_jacobi_unknown", "equations.equation_residual", "equations.split_row_product"]},
}

PARTS = ["improve_relaxed_jacobi_unknown"]
