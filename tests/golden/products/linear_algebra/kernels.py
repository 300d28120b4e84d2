"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def cholesky_rank_one_update(
    factors: wp.array3d(dtype=wp.float64), vectors: wp.array2d(dtype=wp.float64)
):
    """Update the Cholesky factor L of each matrix of a batch to that of L L^T + v v^T by plane
    rotations, which takes O(n^2) operations, where a new factorization takes O(n^3).
    factors[i, k, m] is entry (i, k) of matrix m; the vectors are overwritten."""
    matrix = wp.tid()
    for k in range(factors.shape[0]):
        diagonal = factors[k, k, matrix]
        v = vectors[k, matrix]
        length = wp.sqrt(diagonal * diagonal + v * v)
        c = length / diagonal
        s = v / diagonal
        factors[k, k, matrix] = length
        for i in range(k + 1, factors.shape[0]):
            component = vectors[i, matrix]
            entry = (factors[i, k, matrix] + s * component) / c
            factors[i, k, matrix] = entry
            vectors[i, matrix] = c * component - s * entry


LAUNCH = {
    "cholesky_rank_one_update": {
        "sizes": {"order": "4", "count": "(n + 7) // 8 + 1"},
        "difficulty": "medium",
        "dims": ["count"],
        "parameters": {
            "factors": {"role": "inout", "shape": ["order", "order", "count"], "values": {"uniform": [1.0, 1.5]}},
            "vectors": {"role": "inout", "shape": ["order", "count"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "cholesky_rank_one_update": {"goal": "linear_algebra.rank_update", "ending": "written", "formulas": []},
}
