"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.kernel
def compute_orthonormal_factor_of_deformation(
    displacement_gradients: wp.array(dtype=wp.mat33), orthogonal_factors: wp.array(dtype=wp.mat33)
):
    """Compute the orthonormal factor of a deformation for each system by the Gram-Schmidt process.
    The deformation gradient is the identity plus the displacement gradient, and its first column
    keeps its direction."""
    i = wp.tid()
    deformation = wp.identity(n=3, dtype=wp.float32) + displacement_gradients[i]
    column_a = wp.vec3(deformation[0, 0], deformation[1, 0], deformation[2, 0])
    column_b = wp.vec3(deformation[0, 1], deformation[1, 1], deformation[2, 1])
    column_c = wp.vec3(deformation[0, 2], deformation[1, 2], deformation[2, 2])
    first = wp.normalize(column_a)
    second = wp.normalize(column_b - wp.dot(first, column_b) * first)
    orthogonal = column_c - wp.dot(first, column_c) * first
    orthogonal_factors[i] = wp.matrix_from_cols(
        first, second, wp.normalize(orthogonal - wp.dot(second, orthogonal) * second)
    )


LAUNCH = {
    "compute_orthonormal_factor_of_deformation": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "displacement_gradients": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.25, 0.25]}},
            "orthogonal_factors": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_orthonormal_factor_of_deformation": {"goal": "systems.gram_schmidt_factor", "ending": "per_element", "formulas": ["systems.gram_schmidt_factor"]},
}
