"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def apply_matrix(a: wp.array2d(dtype=float), v: wp.array(dtype=float), w: wp.array(dtype=float)):
    """Product w = A v."""
    row = wp.tid()
    total = float(0.0)
    for col in range(a.shape[1]):
        total += a[row, col] * v[col]
    w[row] = total


@wp.kernel
def squared_norm(w: wp.array(dtype=float), norm_sq: wp.array(dtype=float)):
    """Add up the squares of w."""
    i = wp.tid()
    wp.atomic_add(norm_sq, 0, w[i] * w[i])


@wp.kernel
def rescale(w: wp.array(dtype=float), norm_sq: wp.array(dtype=float), v: wp.array(dtype=float)):
    """Normalise w to unit length."""
    i = wp.tid()
    v[i] = w[i] / wp.sqrt(norm_sq[0])


LAUNCH = {
    "power_iteration": {
        "description": "Three steps of power iteration for the dominant eigenvector of a dense matrix.",
        "sizes": {"size": "min(n, 251) + 3"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"repeat": 3, "steps": [
                {"kernel": "apply_matrix", "dims": ["size"], "arguments": {}},
                {"zero": "norm_sq"},
                {"kernel": "squared_norm", "dims": ["size"], "arguments": {}},
                {"kernel": "rescale", "dims": ["size"], "arguments": {}},
            ]},
        ],
        "parameters": {
            "a": {"role": "in", "shape": ["size", "size"], "values": {"uniform": [0.0, 1.0]}},
            "norm_sq": {"role": "out", "shape": ["1"]},
            "w": {"role": "out", "shape": ["size"]},
            "v": {"role": "inout", "shape": ["size"], "values": {"uniform": [0.1, 1.0]}},
        },
    },
}

MADE_OF = {
    "power_iteration": {"goal": "linear_algebra.power_iteration", "ending": "written", "formulas": []},
}

PARTS = ["apply_matrix", "squared_norm", "rescale"]
