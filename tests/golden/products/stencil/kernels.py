"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def wave_step(
    p: wp.array3d(dtype=float),
    p_old: wp.array3d(dtype=float),
    courant_sq: float,
    damping: float,
    p_new: wp.array3d(dtype=float),
):
    """Advance the damped wave equation in three dimensions by a leapfrog step, with zeros at the
    border."""
    i, j, k = wp.tid()
    if i == 0 or j == 0 or k == 0:
        p_new[i, j, k] = 0.0
        return
    if i == p.shape[0] - 1 or j == p.shape[1] - 1 or k == p.shape[2] - 1:
        p_new[i, j, k] = 0.0
        return
    laplacian = p[i - 1, j, k] + p[i + 1, j, k] - 6.0 * p[i, j, k]
    laplacian += p[i, j - 1, k] + p[i, j + 1, k]
    laplacian += p[i, j, k - 1] + p[i, j, k + 1]
    velocity = (1.0 - damping) * (p[i, j, k] - p_old[i, j, k])
    p_new[i, j, k] = p[i, j, k] + velocity + courant_sq * laplacian


LAUNCH = {
    "wave_step": {
        "sizes": {"nx": "(n + 63) // 64 + 2", "ny": "14", "nz": "16"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "p": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "p_old": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "courant_sq": {"values": {"uniform": [0.1, 0.3]}},
            "damping": {"values": {"uniform": [0.01, 0.1]}},
            "p_new": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}

MADE_OF = {
    "wave_step": {"goal": "stencil.wave_equation", "ending": "written", "formulas": []},
}
