"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbors, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def thom_boundary_condition(
    psi: wp.array2d(dtype=float), lid_speed: float, dx: float, zeta: wp.array2d(dtype=float)
):
    """Set the vorticity at the walls of a lid-driven cavity from the stream function by Thom's
    formula. The lid is the last row and moves at lid_speed; the stream function is zero at all
    walls. A thread sets the two opposite wall points of a column or of an inner row, and the
    vorticity inside stays as it is."""
    rows = zeta.shape[0]
    cols = zeta.shape[1]
    # all columns, then the rows between the corners
    k = wp.tid()
    if k < cols:
        zeta[0, k] = -2.0 * psi[1, k] / (dx * dx)
        zeta[rows - 1, k] = -2.0 * (psi[rows - 2, k] / dx + lid_speed) / dx
    else:
        i = k - cols + 1
        zeta[i, 0] = -2.0 * psi[i, 1] / (dx * dx)
        zeta[i, cols - 1] = -2.0 * psi[i, cols - 2] / (dx * dx)


LAUNCH = {
    "thom_boundary_condition": {
        "sizes": {"rows": "(n + 63) // 64 + 3", "cols": "48"},
        "difficulty": "easy",
        "dims": ["cols + rows - 2"],
        "parameters": {
            "psi": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.2, 0.2]}},
            "lid_speed": {"values": {"uniform": [0.5, 1.0]}},
            "dx": {"values": {"uniform": [0.1, 0.2]}},
            "zeta": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "thom_boundary_condition": {"goal": "stencil.vorticity_transport", "ending": "written", "formulas": []},
}
