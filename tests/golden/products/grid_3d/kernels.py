"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


INTERFACE_WIDTH = wp.constant(0.65)


@wp.kernel
def allen_cahn_phase_kernel(
    phases: wp.array3d(dtype=wp.float32),
    nx: int,
    ny: int,
    nz: int,
    new_phases: wp.array3d(dtype=wp.float32),
):
    """Advance the phase of each cell by one step of Allen and Cahn's equation. The phase Laplacian
    is computed to fourth order and the well slope is computed from the logarithmic potential.
    Beyond the border the nearest element counts."""
    i, j, k = wp.tid()
    phase = phases[i, j, k]
    west = phases[wp.max(i - 1, 0), j, k]
    east = phases[wp.min(i + 1, nx - 1), j, k]
    south = phases[i, wp.max(j - 1, 0), k]
    north = phases[i, wp.min(j + 1, ny - 1), k]
    bottom = phases[i, j, wp.max(k - 1, 0)]
    top = phases[i, j, wp.min(k + 1, nz - 1)]
    far = (
        phases[wp.max(i - 2, 0), j, k]
        + phases[wp.min(i + 2, nx - 1), j, k]
        + phases[i, wp.max(j - 2, 0), k]
        + phases[i, wp.min(j + 2, ny - 1), k]
        + phases[i, j, wp.max(k - 2, 0)]
        + phases[i, j, wp.min(k + 2, nz - 1)]
    )
    phase_laplacian = (
        (16.0 * (west + east + south + north + bottom + top) - far - 90.0 * phase) / 2.1168
    )
    share = wp.clamp(phase, -0.99, 0.99)
    well_slope = 0.2 * wp.log((1.0 + share) / (1.0 - share)) - share
    new_phase = phase + 0.013 * (phase_laplacian - well_slope / (INTERFACE_WIDTH * INTERFACE_WIDTH))
    new_phases[i, j, k] = new_phase


LAUNCH = {
    "allen_cahn_phase_kernel": {
        "sizes": {"nx": "(n + 255) // 256", "ny": "min(n // 8 + 5, 16)", "nz": "min(n // 4 + 4, 16)"},
        "difficulty": "expert",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "phases": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "nx": {"values": {"size": "nx"}},
            "ny": {"values": {"size": "ny"}},
            "nz": {"values": {"size": "nz"}},
            "new_phases": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}
