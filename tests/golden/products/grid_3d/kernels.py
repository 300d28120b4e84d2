"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


DT = wp.constant(0.013)


@wp.func
def logarithmic_well_slope(phase: float, mixing_temperature: float):
    """Well slope from the logarithmic potential."""
    share = wp.clamp(phase, -0.99, 0.99)
    return 0.5 * mixing_temperature * wp.log((1.0 + share) / (1.0 - share)) - share


@wp.kernel
def allen_cahn_phase_kernel(
    phases: wp.array3d(dtype=wp.float32),
    dx: float,
    nx: int,
    ny: int,
    nz: int,
    mixing_temperature: float,
    interface_width: float,
    new_phases: wp.array3d(dtype=wp.float32),
):
    """Advance the phase of each cell by one step of Allen and Cahn's equation. Take the phase
    Laplacian by central differences and the well slope from the logarithmic potential. Neighbors
    outside the grid are clamped to its border."""
    i, j, k = wp.tid()
    phase = phases[i, j, k]
    west = phases[wp.max(i - 1, 0), j, k]
    east = phases[wp.min(i + 1, nx - 1), j, k]
    south = phases[i, wp.max(j - 1, 0), k]
    north = phases[i, wp.min(j + 1, ny - 1), k]
    bottom = phases[i, j, wp.max(k - 1, 0)]
    top = phases[i, j, wp.min(k + 1, nz - 1)]
    phase_laplacian = (west + east + south + north + bottom + top - 6.0 * phase) / (dx * dx)
    well_slope = logarithmic_well_slope(phase, mixing_temperature)
    new_phase = phase + DT * (phase_laplacian - well_slope / (interface_width * interface_width))
    new_phases[i, j, k] = new_phase


LAUNCH = {
    "allen_cahn_phase_kernel": {
        "sizes": {"nx": "(n + 255) // 256", "ny": "min(n // 8 + 5, 16)", "nz": "min(n // 4 + 4, 16)"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "phases": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "nx": {"values": {"size": "nx"}},
            "ny": {"values": {"size": "ny"}},
            "nz": {"values": {"size": "nz"}},
            "mixing_temperature": {"values": {"uniform": [0.1, 0.9]}},
            "interface_width": {"values": {"uniform": [0.1, 0.9]}},
            "new_phases": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}

MADE_OF = {
    "allen_cahn_phase_kernel": {"goal": "phases.allen_cahn_phase", "ending": "per_element", "formulas": ["phases.allen_cahn_phase", "cells.phase_laplacian", "phases.logarithmic_well_slope"]},
}
