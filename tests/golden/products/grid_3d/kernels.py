"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


DX = wp.constant(0.36)


@wp.kernel
def compute_central_slope_norm(
    phi_field: wp.array3d(dtype=wp.float32),
    nx: int,
    ny: int,
    nz: int,
    grad_norms: wp.array3d(dtype=wp.float32),
):
    """Compute the level-set gradient norm by central differences. Indices are clamped at the
    border."""
    i, j, k = wp.tid()
    west = phi_field[wp.max(i - 1, 0), j, k]
    east = phi_field[wp.min(i + 1, nx - 1), j, k]
    inv_2dx = 0.5 / DX
    south = phi_field[i, wp.max(j - 1, 0), k]
    north = phi_field[i, wp.min(j + 1, ny - 1), k]
    bottom = phi_field[i, j, wp.max(k - 1, 0)]
    top = phi_field[i, j, wp.min(k + 1, nz - 1)]
    slope_x = (east - west) * inv_2dx
    slope_y = (north - south) * inv_2dx
    slope_z = (top - bottom) * inv_2dx
    grad_norms[i, j, k] = wp.sqrt(slope_x * slope_x + slope_y * slope_y + slope_z * slope_z)


LAUNCH = {
    "compute_central_slope_norm": {
        "sizes": {"nx": "min(n // 200 + 6, 43)", "ny": "min(n // 150 + 4, 39)", "nz": "min(n // 30 + 1, n // 2048 + 8)"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "phi_field": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "nx": {"values": {"size": "nx"}},
            "ny": {"values": {"size": "ny"}},
            "nz": {"values": {"size": "nz"}},
            "grad_norms": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}

MADE_OF = {
    "compute_central_slope_norm": {"goal": "phases.central_slope_norm", "ending": "per_element", "formulas": ["phases.central_slope_norm"]},
}
