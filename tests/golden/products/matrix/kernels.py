"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.func
def normal_equations_matrix(coefficients: wp.mat33, damping: float):
    """Matrix of damped normal equations."""
    return wp.transpose(coefficients) @ coefficients + damping * wp.identity(n=3, dtype=wp.float32)


@wp.kernel
def compute_condition_number(
    coefficient_matrices: wp.array(dtype=wp.mat33),
    damping: float,
    condition_numbers: wp.array(dtype=wp.float32),
):
    """Condition number in the Frobenius norm, one thread per system."""
    s = wp.tid()
    coefficients = coefficient_matrices[s]
    system_matrix = normal_equations_matrix(coefficients, damping)
    inverse = wp.inverse(system_matrix)
    condition_number = wp.sqrt(wp.ddot(system_matrix, system_matrix) * wp.ddot(inverse, inverse))
    condition_numbers[s] = condition_number


LAUNCH = {
    "compute_condition_number": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "coefficient_matrices": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "damping": {"values": {"uniform": [0.5, 2.0]}},
            "condition_numbers": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_condition_number": {"goal": "systems.frobenius_condition", "ending": "per_element", "formulas": ["systems.frobenius_condition", "systems.normal_equations_matrix", "systems.direct_inverse"]},
}
