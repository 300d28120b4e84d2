"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


@wp.kernel
def subtract_pressure_gradient(
    pressure: wp.array3d(dtype=float),
    solid: wp.array3d(dtype=int),
    dt_over_rho_h: float,
    u: wp.array3d(dtype=float),
    v: wp.array3d(dtype=float),
    w: wp.array3d(dtype=float),
):
    """Subtract the pressure gradient from a staggered (MAC) velocity field to make it free of
    divergence. `u`, `v` and `w` hold the velocities through the lower faces of each cell; no fluid
    passes the lower borders and the faces of solid cells. dt_over_rho_h is the time step over the
    density and the cell size."""
    i, j, k = wp.tid()
    p = pressure[i, j, k]
    if i == 0 or solid[i, j, k] + solid[wp.max(i - 1, 0), j, k] > 0:
        u[i, j, k] = 0.0
    else:
        u[i, j, k] = u[i, j, k] - dt_over_rho_h * (p - pressure[i - 1, j, k])
    if j == 0 or solid[i, j, k] + solid[i, wp.max(j - 1, 0), k] > 0:
        v[i, j, k] = 0.0
    else:
        v[i, j, k] = v[i, j, k] - dt_over_rho_h * (p - pressure[i, j - 1, k])
    if k == 0 or solid[i, j, k] + solid[i, j, wp.max(k - 1, 0)] > 0:
        w[i, j, k] = 0.0
    else:
        w[i, j, k] = w[i, j, k] - dt_over_rho_h * (p - pressure[i, j, k - 1])


LAUNCH = {
    "subtract_pressure_gradient": {
        "sizes": {"nx": "min((n + 63) // 64, 129) + 2", "ny": "16", "nz": "32"},
        "difficulty": "medium",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "pressure": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "solid": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"integers": [0, 2]}},
            "dt_over_rho_h": {"values": {"uniform": [0.5, 2.0]}},
            "u": {"role": "inout", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "v": {"role": "inout", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "w": {"role": "inout", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "subtract_pressure_gradient": {"goal": "grid_3d.staggered_grid", "ending": "written", "formulas": []},
}
