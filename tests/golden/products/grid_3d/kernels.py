"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


LOSS = wp.constant(0.5)
DT = wp.constant(0.015)


@wp.struct
class Cell:
    """State of one cell."""

    electric_field: wp.vec3
    permittivity: float


@wp.kernel
def fdtd_update(
    magnetic_fields: wp.array3d(dtype=wp.vec3),
    dx: float,
    ny: int,
    nz: int,
    nx: int,
    cells: wp.array3d(dtype=Cell),
):
    """FDTD update of the electric field in a lossy medium (curl of the magnetic field by backward
    differences). Periodic boundaries."""
    i, j, k = wp.tid()
    cell = cells[i, j, k]
    electric_field = cell.electric_field
    magnetic_field = magnetic_fields[i, j, k]
    south = magnetic_fields[i, (j - 1 + ny) % ny, k]
    bottom = magnetic_fields[i, j, (k - 1 + nz) % nz]
    west = magnetic_fields[(i - 1 + nx) % nx, j, k]
    curl_x = (magnetic_field[2] - south[2]) / dx - (magnetic_field[1] - bottom[1]) / dx
    curl_y = (magnetic_field[0] - bottom[0]) / dx - (magnetic_field[2] - west[2]) / dx
    curl_z = (magnetic_field[1] - west[1]) / dx - (magnetic_field[0] - south[0]) / dx
    magnetic_curl = wp.vec3(curl_x, curl_y, curl_z)
    permittivity = cell.permittivity
    damping = 0.5 * LOSS * DT / permittivity
    new_electric_field = (
        ((1.0 - damping) * electric_field + DT / permittivity * magnetic_curl) / (1.0 + damping)
    )
    cells[i, j, k].electric_field = new_electric_field


LAUNCH = {
    "fdtd_update": {
        "sizes": {"nx": "min(n // 200 + 6, 43)", "ny": "min(n // 150 + 4, 39)", "nz": "min(n // 30 + 1, n // 2048 + 8)"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "magnetic_fields": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "ny": {"values": {"size": "ny"}},
            "nz": {"values": {"size": "nz"}},
            "nx": {"values": {"size": "nx"}},
            "cells": {"role": "inout", "shape": ["nx", "ny", "nz"], "values": {"members": {"electric_field": {"uniform": [-1.0, 1.0]}, "permittivity": {"uniform": [1.0, 4.0]}}}},
        },
    },
}

MADE_OF = {
    "fdtd_update": {"goal": "flows.lossy_electric_field", "ending": "per_element", "formulas": ["flows.lossy_electric_field", "flows.backward_magnetic_curl"]},
}
