"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def batched_gemm(
    a: wp.array3d(dtype=wp.float64),
    b: wp.array3d(dtype=wp.float64),
    c: wp.array3d(dtype=wp.float64),
):
    """Multiply each pair of matrices of a batch, c = a b, one element per thread."""
    batch, i, j = wp.tid()
    total = wp.float64(0.0)
    for k in range(a.shape[2]):
        total += a[batch, i, k] * b[batch, k, j]
    c[batch, i, j] = total


LAUNCH = {
    "batched_gemm": {
        "sizes": {"num_matrices": "min((n + 31) // 32 + 2, 200)", "rows": "8", "cols": "12", "depth": "16"},
        "difficulty": "easy",
        "dims": ["num_matrices", "rows", "cols"],
        "parameters": {
            "a": {"role": "in", "shape": ["num_matrices", "rows", "depth"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["num_matrices", "depth", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "c": {"role": "out", "shape": ["num_matrices", "rows", "cols"]},
        },
    },
}

MADE_OF = {
    "batched_gemm": {"goal": "nested_loop.matmul", "ending": "written", "formulas": []},
}
