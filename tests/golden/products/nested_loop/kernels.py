"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def bmm(
    left: wp.array3d(dtype=wp.float64),
    right: wp.array3d(dtype=wp.float64),
    product: wp.array3d(dtype=wp.float64),
):
    """Multiply each pair of matrices of a batch, product = left right."""
    batch, i, j = wp.tid()
    total = wp.float64(0.0)
    for k in range(left.shape[2]):
        total += left[batch, i, k] * right[batch, k, j]
    product[batch, i, j] = total


LAUNCH = {
    "bmm": {
        "sizes": {"num_matrices": "min((n + 31) // 32 + 2, 200)", "rows": "8", "cols": "12", "depth": "16"},
        "difficulty": "easy",
        "dims": ["num_matrices", "rows", "cols"],
        "parameters": {
            "left": {"role": "in", "shape": ["num_matrices", "rows", "depth"], "values": {"uniform": [-1.0, 1.0]}},
            "right": {"role": "in", "shape": ["num_matrices", "depth", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "product": {"role": "out", "shape": ["num_matrices", "rows", "cols"]},
        },
    },
}

MADE_OF = {
    "bmm": {"goal": "nested_loop.matmul", "ending": "written", "formulas": []},
}
