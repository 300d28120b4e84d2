"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def posv_batched(
    a: wp.array3d(dtype=wp.float64),
    rhs: wp.array2d(dtype=wp.float64),
    damping: wp.float64,
    size: int,
    factor: wp.array3d(dtype=wp.float64),
    x: wp.array2d(dtype=wp.float64),
):
    """Solve (a + damping I) x = rhs by Cholesky factorization, one matrix per thread. The matrix is
    the last axis of each array, and only the lower triangle is read."""
    m = wp.tid()
    for j in range(size):
        pivot = a[j, j, m] + damping
        for k in range(j):
            pivot -= factor[j, k, m] * factor[j, k, m]
        root = wp.sqrt(pivot)
        factor[j, j, m] = root
        for i in range(j + 1, size):
            entry = a[i, j, m]
            for k in range(j):
                entry -= factor[i, k, m] * factor[j, k, m]
            factor[i, j, m] = entry / root
    for i in range(size):
        value = rhs[i, m]
        for k in range(i):
            value -= factor[i, k, m] * x[k, m]
        x[i, m] = value / factor[i, i, m]
    for back in range(size):
        i = size - 1 - back
        value = x[i, m]
        for k in range(i + 1, size):
            value -= factor[k, i, m] * x[k, m]
        x[i, m] = value / factor[i, i, m]


LAUNCH = {
    "posv_batched": {
        "sizes": {"matrices": "(n + 31) // 32 + 2", "size": "6"},
        "difficulty": "medium",
        "dims": ["matrices"],
        "parameters": {
            "a": {"role": "in", "shape": ["size", "size", "matrices"], "values": {"uniform": [-1.0, 1.0]}},
            "rhs": {"role": "in", "shape": ["size", "matrices"], "values": {"uniform": [-1.0, 1.0]}},
            "damping": {"values": {"uniform": [6.0, 10.0]}},
            "size": {"values": {"size": "size"}},
            "factor": {"role": "inout", "shape": ["size", "size", "matrices"], "values": {"constant": 0.0}},
            "x": {"role": "out", "shape": ["size", "matrices"]},
        },
    },
}

MADE_OF = {
    "posv_batched": {"goal": "linear_algebra.cholesky", "ending": "written", "formulas": []},
}
