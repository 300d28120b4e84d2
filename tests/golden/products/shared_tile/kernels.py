"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, normalized rows, halos, all pairs.
"""

import warp as wp


ORDER = wp.constant(12)


@wp.kernel
def regularized_solve_batch(
    matrices: wp.array3d(dtype=float),
    damping: float,
    right_sides: wp.array2d(dtype=float),
    solutions: wp.array2d(dtype=float),
):
    """Solve the regularized systems (A A^T + damping I) x = b of a batch by Cholesky factorization.
    Each system has ORDER unknowns."""
    batch = wp.tid()
    a = wp.tile_load(matrices[batch], shape=(ORDER, ORDER))
    gram = wp.tile_matmul(a, wp.tile_transpose(a))
    system = wp.tile_diag_add(gram, wp.tile_full(shape=ORDER, value=damping, dtype=float))
    factor = wp.tile_cholesky(system)
    b = wp.tile_load(right_sides[batch], shape=ORDER)
    wp.tile_store(solutions[batch], wp.tile_cholesky_solve(factor, b))


LAUNCH = {
    "regularized_solve_batch": {
        "sizes": {"batch": "min((n + 63) // 64, 40)"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["batch"],
        "block_dim": 32,
        "parameters": {
            "matrices": {"role": "in", "shape": ["batch", "12", "12"], "values": {"uniform": [-1.0, 1.0]}},
            "damping": {"values": {"uniform": [2.0, 4.0]}},
            "right_sides": {"role": "in", "shape": ["batch", "12"], "values": {"uniform": [-1.0, 1.0]}},
            "solutions": {"role": "out", "shape": ["batch", "12"]},
        },
    },
}

MADE_OF = {
    "regularized_solve_batch": {"goal": "shared_tile.spd_solve", "ending": "written", "formulas": []},
}
