"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def compute_direction(
    residuals: wp.array(dtype=wp.float64),
    row_offsets: wp.array(dtype=wp.int32),
    columns: wp.array(dtype=wp.int32),
    values: wp.array(dtype=wp.float64),
    old_directions: wp.array(dtype=wp.float64),
    directions: wp.array(dtype=wp.float64),
    momentum: wp.float64,
):
    """Compute the direction of each equation so that it is conjugate to the old one, with the
    preconditioned residual by a sparse approximate inverse."""
    i = wp.tid()
    preconditioned = wp.float64(0.0)
    for entry in range(row_offsets[i], row_offsets[i + 1]):
        preconditioned += values[entry] * residuals[columns[entry]]
    old_direction = old_directions[i]
    direction = preconditioned + momentum * old_direction
    directions[i] = direction


LAUNCH = {
    "compute_direction": {
        "sizes": {"nonzeros": "4 * n + 4"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "residuals": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "row_offsets": {"role": "in", "shape": ["n + 1"], "values": {"offsets": [4, 4]}},
            "columns": {"role": "in", "shape": ["nonzeros"], "values": {"integers": [0, "n"]}},
            "values": {"role": "in", "shape": ["nonzeros"], "values": {"uniform": [-1.0, 1.0]}},
            "old_directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "directions": {"role": "out", "shape": ["n"]},
            "momentum": {"values": {"uniform": [0.1, 0.9]}},
        },
    },
}

MADE_OF = {
    "compute_direction": {"goal": "equations.conjugate_direction", "ending": "per_element", "formulas": ["equations.conjugate_direction", "equations.approximate_inverse_preconditioned"]},
}
