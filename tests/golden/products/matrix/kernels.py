"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.kernel
def compute_rotation_matrix_of_deformation(
    displacement_gradients: wp.array(dtype=wp.mat33),
    steps: int,
    orthogonal_factors: wp.array(dtype=wp.mat33),
):
    """Compute the rotation matrix of a deformation for each system by Newton's polar decomposition.
    The deformation is the identity plus the displacement gradient, and each step averages the
    matrix with its inverse transpose."""
    i = wp.tid()
    orthogonal_factor = wp.identity(n=3, dtype=wp.float32) + displacement_gradients[i]
    for _step in range(steps):
        orthogonal_factor = 0.5 * (orthogonal_factor + wp.transpose(wp.inverse(orthogonal_factor)))
    orthogonal_factors[i] = orthogonal_factor


LAUNCH = {
    "compute_rotation_matrix_of_deformation": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "displacement_gradients": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.25, 0.25]}},
            "steps": {"values": {"integers": [3, 7]}},
            "orthogonal_factors": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_rotation_matrix_of_deformation": {"goal": "systems.polar_rotation", "ending": "per_element", "formulas": ["systems.polar_rotation"]},
}
