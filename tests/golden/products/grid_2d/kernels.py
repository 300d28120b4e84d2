"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: fields and their differences, flows, height fields, automata.
"""

import warp as wp


@wp.kernel
def smooth(rhs: wp.array2d(dtype=float), h2: float, parity: int, phi: wp.array2d(dtype=float)):
    """Update the interior points of one color of the checkerboard by Gauss-Seidel for -laplace(phi)
    = rhs. `h2` is the square of the grid spacing."""
    i, j = wp.tid()
    if i == 0 or j == 0 or i == phi.shape[0] - 1 or j == phi.shape[1] - 1:
        return
    if (i + j) % 2 != parity:
        return
    neighbors = phi[i - 1, j] + phi[i + 1, j] + phi[i, j - 1] + phi[i, j + 1]
    phi[i, j] = 0.25 * (neighbors + h2 * rhs[i, j])


@wp.kernel
def compute_residual(
    phi: wp.array2d(dtype=float),
    rhs: wp.array2d(dtype=float),
    h2: float,
    r: wp.array2d(dtype=float),
):
    """Compute the residual rhs + laplace(phi) of the five-point Poisson equation; it is zero on the
    border."""
    i, j = wp.tid()
    if i == 0 or j == 0 or i == phi.shape[0] - 1 or j == phi.shape[1] - 1:
        r[i, j] = 0.0
        return
    neighbors = phi[i - 1, j] + phi[i + 1, j] + phi[i, j - 1] + phi[i, j + 1]
    r[i, j] = rhs[i, j] - (4.0 * phi[i, j] - neighbors) / h2


@wp.kernel
def restrict_to_coarse(r: wp.array2d(dtype=float), coarse: wp.array2d(dtype=float)):
    """Restrict the residual to the grid of twice the spacing by half weighting; it is zero on the
    border."""
    i, j = wp.tid()
    if i == 0 or j == 0 or i == coarse.shape[0] - 1 or j == coarse.shape[1] - 1:
        coarse[i, j] = 0.0
        return
    y = 2 * i
    x = 2 * j
    edges = r[y - 1, x] + r[y + 1, x] + r[y, x - 1] + r[y, x + 1]
    coarse[i, j] = 0.5 * r[y, x] + 0.125 * edges


LAUNCH = {
    "restrict_residual": {
        "description": "Relax the Poisson equation by two red-black sweeps, and restrict the residual to the coarse grid.",
        "sizes": {"coarse_rows": "(n + 63) // 64 + 3", "coarse_cols": "25", "rows": "2 * coarse_rows - 1", "cols": "2 * coarse_cols - 1"},
        "difficulty": "hard",
        "steps": [
            {"repeat": 2, "steps": [
                {"kernel": "smooth", "dims": ["rows", "cols"], "arguments": {"parity": 0}},
                {"kernel": "smooth", "dims": ["rows", "cols"], "arguments": {"parity": 1}},
            ]},
            {"kernel": "compute_residual", "dims": ["rows", "cols"], "arguments": {}},
            {"kernel": "restrict_to_coarse", "dims": ["coarse_rows", "coarse_cols"], "arguments": {}},
        ],
        "parameters": {
            "rhs": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "h2": {"values": {"constant": 1.0}},
            "r": {"role": "out", "shape": ["rows", "cols"]},
            "coarse": {"role": "out", "shape": ["coarse_rows", "coarse_cols"]},
            "phi": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "restrict_residual": {"goal": "grid_2d.multigrid", "ending": "written", "formulas": []},
}

PARTS = ["smooth", "compute_residual", "restrict_to_coarse"]
