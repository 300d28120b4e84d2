"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def small_matrix_product(
    coefficients: wp.array3d(dtype=wp.float32),
    vectors: wp.array2d(dtype=wp.float32),
    num_items: int,
    norms: wp.array(dtype=wp.float32),
):
    """Sum of the magnitudes in the product of a 5 by 3 matrix with each vector."""
    tid = wp.tid()
    start = tid * 3
    for batch in range(start, wp.min(start + 3, num_items)):
        norm = float(0.0)
        for r in range(5):
            total = float(0.0)
            for c in range(3):
                total += coefficients[batch, r, c] * vectors[batch, c]
            norm += wp.abs(total)
        norms[batch] = norm


LAUNCH = {
    "small_matrix_product": {
        "sizes": {"rows": "5", "cols": "3"},
        "difficulty": "hard",
        "dims": ["(n + 2) // 3"],
        "parameters": {
            "coefficients": {"role": "in", "shape": ["n", "rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "vectors": {"role": "in", "shape": ["n", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "num_items": {"values": {"size": "n"}},
            "norms": {"role": "out", "shape": ["n"]},
        },
    },
}
