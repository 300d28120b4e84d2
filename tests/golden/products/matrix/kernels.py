"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.kernel
def axis_angle_to_matrix(
    rotation_vectors: wp.array(dtype=wp.vec3),
    rotations: wp.array(dtype=wp.mat33),
):
    """Build rotation matrices from rotation vectors with Rodrigues' formula R = I + sin(t) / t K +
    (1 - cos(t)) / t^2 K^2."""
    i = wp.tid()
    k = wp.skew(rotation_vectors[i])
    theta = wp.length(rotation_vectors[i])
    # sin(t) / t and (1 - cos(t)) / t^2, by their limits for small angles
    a = float(1.0)
    b = float(0.5)
    if theta > 1.0e-4:
        a = wp.sin(theta) / theta
        b = (1.0 - wp.cos(theta)) / (theta * theta)
    rotation = wp.identity(n=3, dtype=float) + a * k + b * (k @ k)
    rotations[i] = rotation


LAUNCH = {
    "axis_angle_to_matrix": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "rotation_vectors": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.8, 1.8]}},
            "rotations": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "axis_angle_to_matrix": {"goal": "matrix.rotation_matrices", "ending": "written", "formulas": []},
}
