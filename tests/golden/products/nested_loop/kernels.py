"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def eigenvalue_gap(
    entries: wp.array3d(dtype=wp.float32),
    vectors: wp.array2d(dtype=wp.float32),
    eigenvalue_bounds: wp.array(dtype=wp.float32),
    eigenvalue_gaps: wp.array(dtype=wp.float32),
    num_rows: int,
):
    """Compute the gap of each matrix between an estimated eigenvalue and the bound. First, the
    Rayleigh quotient is computed for a vector."""
    i = wp.tid()
    total = float(0.0)
    square = float(0.001)
    for row in range(num_rows):
        own = vectors[i, row]
        inner = float(0.0)
        for col in range(num_rows):
            inner += entries[i, row, col] * vectors[i, col]
        total += own * inner
        square += own * own
    eigenvalue = total / square
    eigenvalue_bound = eigenvalue_bounds[i]
    eigenvalue_gap = eigenvalue_bound - eigenvalue
    eigenvalue_gaps[i] = eigenvalue_gap


LAUNCH = {
    "eigenvalue_gap": {
        "sizes": {"rows": "4"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "entries": {"role": "in", "shape": ["n", "rows", "rows"], "values": {"uniform": [-1.0, 1.0]}},
            "vectors": {"role": "in", "shape": ["n", "rows"], "values": {"uniform": [-1.0, 1.0]}},
            "eigenvalue_bounds": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 6.0]}},
            "eigenvalue_gaps": {"role": "out", "shape": ["n"]},
            "num_rows": {"values": {"size": "rows"}},
        },
    },
}

MADE_OF = {
    "eigenvalue_gap": {"goal": "matrices.eigenvalue_gap", "ending": "per_element", "formulas": ["matrices.eigenvalue_gap", "matrices.rayleigh_quotient"]},
}
