"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def updated_residual(
    right_sides: wp.array(dtype=wp.float64),
    unknowns: wp.array(dtype=wp.float64),
    diagonals: wp.array(dtype=wp.float64),
    row_offsets: wp.array(dtype=wp.int32),
    columns: wp.array(dtype=wp.int32),
    values: wp.array(dtype=wp.float64),
    directions: wp.array(dtype=wp.float64),
    new_residuals: wp.array(dtype=wp.float64),
    step_length: wp.float64,
):
    """Update the residual of each equation along the image of the direction. The residual is
    computed as the right side less the row product, and the image as the product of a sparse row
    and the directions."""
    row = wp.tid()
    unknown = unknowns[row]
    right_side = right_sides[row]
    scaled = wp.float64(0.0)
    image = wp.float64(0.0)
    for entry in range(row_offsets[row], row_offsets[row + 1]):
        col = columns[entry]
        scaled += values[entry] * unknowns[col] / wp.sqrt(diagonals[col])
        image += values[entry] * directions[col]
    row_product = unknown - scaled / wp.sqrt(diagonals[row])
    residual = right_side - row_product
    new_residual = residual - step_length * image
    new_residuals[row] = new_residual


LAUNCH = {
    "updated_residual": {
        "sizes": {"nonzeros": "4 * n + 4"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "right_sides": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "unknowns": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "diagonals": {"role": "in", "shape": ["n"], "values": {"uniform": [2.0, 5.0]}},
            "row_offsets": {"role": "in", "shape": ["n + 1"], "values": {"offsets": [4, 4]}},
            "columns": {"role": "in", "shape": ["nonzeros"], "values": {"integers": [0, "n"]}},
            "values": {"role": "in", "shape": ["nonzeros"], "values": {"uniform": [-1.0, 1.0]}},
            "directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "new_residuals": {"role": "out", "shape": ["n"]},
            "step_length": {"values": {"uniform": [0.1, 1.0]}},
        },
    },
}
