"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.kernel
def compute_matrix_exponential_by_taylor_series(
    coefficient_matrices: wp.array(dtype=wp.mat33),
    terms: int,
    exponentials: wp.array(dtype=wp.mat33),
):
    """Evaluate the matrix exponential of each system by its Taylor series. It adds up `terms`
    terms, the first of them the identity."""
    system = wp.tid()
    coefficients = coefficient_matrices[system]
    exponential = wp.identity(n=3, dtype=wp.float32)
    term = wp.identity(n=3, dtype=wp.float32)
    for order in range(1, terms):
        term = term @ coefficients / float(order)
        exponential += term
    exponentials[system] = exponential


LAUNCH = {
    "compute_matrix_exponential_by_taylor_series": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "coefficient_matrices": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "terms": {"values": {"integers": [4, 9]}},
            "exponentials": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_matrix_exponential_by_taylor_series": {"goal": "systems.taylor_exponential", "ending": "per_element", "formulas": ["systems.taylor_exponential"]},
}
