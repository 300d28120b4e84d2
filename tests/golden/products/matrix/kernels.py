"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


SHIFT = wp.constant(2.8)


@wp.kernel
def compute_frobenius_condition(
    coefficient_matrices: wp.array(dtype=wp.mat33),
    steps: int,
    condition_numbers: wp.array(dtype=wp.float32),
):
    """Compute the condition number of each system in the Frobenius norm. Take the inverse matrix by
    the iteration of Newton and Schulz. The matrix is the coefficients plus a shift of the
    diagonal."""
    system = wp.tid()
    coefficients = coefficient_matrices[system]
    system_matrix = coefficients + SHIFT * wp.identity(n=3, dtype=wp.float32)
    scale = wp.ddot(system_matrix, system_matrix)
    inverse = wp.transpose(system_matrix) / scale
    for step in range(steps):
        inverse = inverse @ (2.0 * wp.identity(n=3, dtype=wp.float32) - system_matrix @ inverse)
    condition_number = wp.sqrt(wp.ddot(system_matrix, system_matrix) * wp.ddot(inverse, inverse))
    condition_numbers[system] = condition_number


LAUNCH = {
    "compute_frobenius_condition": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "coefficient_matrices": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "steps": {"values": {"integers": [4, 9]}},
            "condition_numbers": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_frobenius_condition": {"goal": "systems.frobenius_condition", "ending": "per_element", "formulas": ["systems.frobenius_condition", "systems.shifted_matrix", "systems.newton_schulz_inverse"]},
}
