"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


MIXING_TEMPERATURE = wp.constant(0.65)


@wp.func
def logarithmic_well_slope(phase: float):
    """Well slope from the logarithmic potential."""
    share = wp.clamp(phase, -0.99, 0.99)
    return 0.5 * MIXING_TEMPERATURE * wp.log((1.0 + share) / (1.0 - share)) - share


@wp.kernel
def allen_cahn_phase_kernel(
    phases: wp.array3d(dtype=wp.float32),
    dx: float,
    nx: int,
    ny: int,
    nz: int,
    dt: float,
    new_phases: wp.array3d(dtype=wp.float32),
):
    """Advance the phase of each cell by one step of Allen and Cahn's equation. For this, the phase
    Laplacian is computed by central differences, and the well slope from the logarithmic potential.
    Beyond the border the nearest element counts."""
    i, j, k = wp.tid()
    phase = phases[i, j, k]
    west = phases[wp.max(i - 1, 0), j, k]
    east = phases[wp.min(i + 1, nx - 1), j, k]
    south = phases[i, wp.max(j - 1, 0), k]
    north = phases[i, wp.min(j + 1, ny - 1), k]
    bottom = phases[i, j, wp.max(k - 1, 0)]
    top = phases[i, j, wp.min(k + 1, nz - 1)]
    phase_laplacian = (west + east + south + north + bottom + top - 6.0 * phase) / (dx * dx)
    well_slope = logarithmic_well_slope(phase)
    new_phase = phase + dt * (phase_laplacian - well_slope / 0.36)
    new_phases[i, j, k] = new_phase


LAUNCH = {
    "allen_cahn_phase_kernel": {
        "sizes": {"nx": "(n + 255) // 256", "ny": "min(n // 8 + 5, 16)", "nz": "min(n // 4 + 4, 16)"},
        "difficulty": "hard",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "phases": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "nx": {"values": {"size": "nx"}},
            "ny": {"values": {"size": "ny"}},
            "nz": {"values": {"size": "nz"}},
            "dt": {"values": {"uniform": [0.001, 0.02]}},
            "new_phases": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}
