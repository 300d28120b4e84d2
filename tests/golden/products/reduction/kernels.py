"""Kernels of the category reduction, seed 0.

Reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments.
"""

import warp as wp


@wp.kernel
def cosine_terms(x: wp.array(dtype=float), y: wp.array(dtype=float), sums: wp.array(dtype=float)):
    """Add the dot products x.y, x.x and y.y to sums, in this order; the cosine similarity of two
    vectors follows from them."""
    i = wp.tid()
    wp.atomic_add(sums, 0, x[i] * y[i])
    wp.atomic_add(sums, 1, x[i] * x[i])
    wp.atomic_add(sums, 2, y[i] * y[i])


LAUNCH = {
    "cosine_terms": {
        "sizes": {"count": "(n + 1) // 2"},
        "difficulty": "medium",
        "equality": "bounded",
        "dims": ["count"],
        "parameters": {
            "x": {"role": "in", "shape": ["count"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"role": "in", "shape": ["count"], "values": {"uniform": [-0.5, 1.5]}},
            "sums": {"role": "inout", "shape": ["3"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "cosine_terms": {"goal": "reduction.dot_product", "ending": "written", "formulas": []},
}
