"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


@wp.func
def upwind_sq(backward: float, forward: float, sign: float):
    """Godunov's square of a one-sided derivative."""
    a = wp.max(sign * backward, 0.0)
    b = wp.min(sign * forward, 0.0)
    return wp.max(a * a, b * b)


@wp.kernel
def redistance_step(
    psi: wp.array3d(dtype=float),
    initial: wp.array3d(dtype=float),
    dt: float,
    inv_h: float,
    new_psi: wp.array3d(dtype=float),
):
    """Reinitialization step toward a signed distance, with Godunov's scheme."""
    i, j, k = wp.tid()
    i0 = wp.max(i - 1, 0)
    i1 = wp.min(i + 1, psi.shape[0] - 1)
    j0 = wp.max(j - 1, 0)
    j1 = wp.min(j + 1, psi.shape[1] - 1)
    k0 = wp.max(k - 1, 0)
    k1 = wp.min(k + 1, psi.shape[2] - 1)
    c = psi[i, j, k]
    h = 1.0 / inv_h
    sign = initial[i, j, k] / wp.sqrt(initial[i, j, k] * initial[i, j, k] + h * h)
    direction = wp.where(initial[i, j, k] >= 0.0, 1.0, -1.0)
    sum_sq = upwind_sq(c - psi[i0, j, k], psi[i1, j, k] - c, direction)
    sum_sq += upwind_sq(c - psi[i, j0, k], psi[i, j1, k] - c, direction)
    sum_sq += upwind_sq(c - psi[i, j, k0], psi[i, j, k1] - c, direction)
    gradient = inv_h * wp.sqrt(sum_sq)
    new_psi[i, j, k] = c - dt * sign * (gradient - 1.0)


LAUNCH = {
    "redistance_step": {
        "sizes": {"nx": "(n + 63) // 64 + 3", "ny": "20", "nz": "12"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "psi": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "initial": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "dt": {"values": {"uniform": [0.05, 0.3]}},
            "inv_h": {"values": {"uniform": [0.8, 1.2]}},
            "new_psi": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}

MADE_OF = {
    "redistance_step": {"goal": "grid_3d.level_set", "ending": "written", "formulas": []},
}
