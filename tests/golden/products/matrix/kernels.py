"""Kernels of the category matrix, seed 0.

Small matrices: products, inverses, determinants, factors, solves, eigenvalues, Kalman filters.
"""

import warp as wp


@wp.kernel
def invert_2x2(
    mats: wp.array(dtype=wp.mat22d),
    damping: wp.float64,
    inverses: wp.array(dtype=wp.mat22d),
):
    """Inverse of 2 x 2 matrices; damping is added to the diagonal."""
    i = wp.tid()
    m = mats[i]
    m00 = m[0, 0] + damping
    m11 = m[1, 1] + damping
    det = m00 * m11 - m[0, 1] * m[1, 0]
    inverses[i] = wp.mat22d(m11 / det, -m[0, 1] / det, -m[1, 0] / det, m00 / det)


LAUNCH = {
    "invert_2x2": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "mats": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "damping": {"values": {"uniform": [4.0, 5.0]}},
            "inverses": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "invert_2x2": {"goal": "matrix.batched_inverse", "ending": "written", "formulas": []},
}
