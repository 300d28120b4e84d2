"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.kernel
def solve_3x3(
    a: wp.array(dtype=wp.mat33),
    rhs: wp.array(dtype=wp.vec3),
    damping: float,
    solutions: wp.array(dtype=wp.vec3),
    determinants: wp.array(dtype=float),
):
    """Solve 3 x 3 systems by Cramer's rule, with cross products of the columns; damping is added to
    the diagonal, and the determinant is kept."""
    i = wp.tid()
    m = a[i] + damping * wp.identity(n=3, dtype=float)
    b = rhs[i]
    c0 = wp.vec3(m[0, 0], m[1, 0], m[2, 0])
    c1 = wp.vec3(m[0, 1], m[1, 1], m[2, 1])
    c2 = wp.vec3(m[0, 2], m[1, 2], m[2, 2])
    det = wp.dot(c0, wp.cross(c1, c2))
    x = wp.dot(b, wp.cross(c1, c2)) / det
    y = wp.dot(c0, wp.cross(b, c2)) / det
    z = wp.dot(c0, wp.cross(c1, b)) / det
    solutions[i] = wp.vec3(x, y, z)
    determinants[i] = det


LAUNCH = {
    "solve_3x3": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "a": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "rhs": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "damping": {"values": {"uniform": [4.0, 5.0]}},
            "solutions": {"role": "out", "shape": ["n"]},
            "determinants": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "solve_3x3": {"goal": "matrix.batched_inverse", "ending": "written", "formulas": []},
}
