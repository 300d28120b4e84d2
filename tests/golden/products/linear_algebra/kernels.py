"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def compute_residual(
    right_sides: wp.array(dtype=wp.float32),
    row_products: wp.array(dtype=wp.float32),
    residuals: wp.array(dtype=wp.float32),
):
    """Compute the residual of each equation as the right side less the row product."""
    i = wp.tid()
    right_side = right_sides[i]
    row_product = row_products[i]
    residual = right_side - row_product
    residuals[i] = residual


@wp.kernel
def compute_conjugate_direction(
    residuals: wp.array(dtype=wp.float32),
    values: wp.array2d(dtype=wp.float32),
    columns: wp.array2d(dtype=wp.int32),
    old_directions: wp.array(dtype=wp.float32),
    num_slots: int,
    momentum: float,
    directions: wp.array(dtype=wp.float32),
):
    """Compute the direction of each equation so that it is conjugate to the old one, with the
    preconditioned residual by a sparse approximate inverse."""
    row = wp.tid()
    preconditioned = float(0.0)
    for slot in range(num_slots):
        col = columns[slot, row]
        preconditioned += values[slot, row] * residuals[col]
    old_direction = old_directions[row]
    direction = preconditioned + momentum * old_direction
    directions[row] = direction


LAUNCH = {
    "conjugate_direction_kernel": {
        "description": "Compute the direction of each equation so that it is conjugate to the old one.",
        "sizes": {"slots": "5"},
        "difficulty": "expert",
        "steps": [
            {
                "kernel": "compute_residual",
                "dims": ["n"],
                "arguments": {"residuals": "residuals", "right_sides": "right_sides", "row_products": "row_products"},
            },
            {
                "kernel": "compute_conjugate_direction",
                "dims": ["n"],
                "arguments": {"residuals": "residuals", "directions": "directions", "values": "values", "columns": "columns", "old_directions": "old_directions", "num_slots": "num_slots", "momentum": "momentum"},
            },
        ],
        "parameters": {
            "right_sides": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "row_products": {"role": "in", "shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "values": {"role": "in", "shape": ["slots", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "columns": {"role": "in", "shape": ["slots", "n"], "values": {"integers": [0, "n"]}},
            "old_directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "num_slots": {"values": {"size": "slots"}},
            "momentum": {"values": {"uniform": [0.1, 0.9]}},
            "residuals": {"role": "out", "shape": ["n"]},
            "directions": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "conjugate_direction_kernel": {"goal": "equations.conjugate_direction", "ending": "launched", "formulas": ["equations.conjugate_direction", "equations.approximate_inverse_preconditioned", "equations.equation_residual"]},
}

PARTS = ["compute_residual", "compute_conjugate_direction"]
