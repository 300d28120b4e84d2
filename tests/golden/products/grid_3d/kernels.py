"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


@wp.kernel
def smagorinsky_viscosity(
    u: wp.array3d(dtype=float),
    v: wp.array3d(dtype=float),
    w: wp.array3d(dtype=float),
    inv_h: float,
    length_scale: float,
    viscosity: wp.array3d(dtype=float),
):
    """Smagorinsky eddy viscosity from the resolved strain rate of cell-centered velocities."""
    i, j, k = wp.tid()
    i0 = wp.max(i - 1, 0)
    i1 = wp.min(i + 1, u.shape[0] - 1)
    j0 = wp.max(j - 1, 0)
    j1 = wp.min(j + 1, u.shape[1] - 1)
    k0 = wp.max(k - 1, 0)
    k1 = wp.min(k + 1, u.shape[2] - 1)
    sx = inv_h / float(i1 - i0)
    sy = inv_h / float(j1 - j0)
    sz = inv_h / float(k1 - k0)
    sxx = sx * (u[i1, j, k] - u[i0, j, k])
    syy = sy * (v[i, j1, k] - v[i, j0, k])
    szz = sz * (w[i, j, k1] - w[i, j, k0])
    sxy = 0.5 * (sy * (u[i, j1, k] - u[i, j0, k]) + sx * (v[i1, j, k] - v[i0, j, k]))
    sxz = 0.5 * (sz * (u[i, j, k1] - u[i, j, k0]) + sx * (w[i1, j, k] - w[i0, j, k]))
    syz = 0.5 * (sz * (v[i, j, k1] - v[i, j, k0]) + sy * (w[i, j1, k] - w[i, j0, k]))
    norm_sq = sxx * sxx + syy * syy + szz * szz
    norm_sq += 2.0 * (sxy * sxy + sxz * sxz + syz * syz)
    viscosity[i, j, k] = length_scale * length_scale * wp.sqrt(2.0 * norm_sq)


LAUNCH = {
    "smagorinsky_viscosity": {
        "sizes": {"nx": "(n + 63) // 64 + 2", "ny": "20", "nz": "12"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "inv_h": {"values": {"uniform": [0.5, 2.0]}},
            "length_scale": {"values": {"uniform": [0.1, 0.2]}},
            "u": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "v": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "w": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "viscosity": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}

MADE_OF = {
    "smagorinsky_viscosity": {"goal": "grid_3d.staggered_grid", "ending": "written", "formulas": []},
}
