"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def syr(x: wp.array(dtype=wp.float64), alpha: wp.float64, a: wp.array2d(dtype=wp.float64)):
    """Apply the symmetric rank-1 update a += alpha x x^T to the upper triangle of a matrix; the
    other triangle is not touched."""
    i, j = wp.tid()
    if j < i:
        return
    a[i, j] = a[i, j] + alpha * x[i] * x[j]


LAUNCH = {
    "syr": {
        "sizes": {"rows": "min(n + 2, 257)"},
        "difficulty": "easy",
        "dims": ["rows", "rows"],
        "parameters": {
            "x": {"role": "in", "shape": ["rows"], "values": {"uniform": [-1.0, 1.0]}},
            "alpha": {"values": {"uniform": [0.2, 2.0]}},
            "a": {"role": "inout", "shape": ["rows", "rows"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "syr": {"goal": "linear_algebra.rank_update", "ending": "written", "formulas": []},
}
