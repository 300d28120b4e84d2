"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


TALUS = wp.constant(wp.float64(0.9))


@wp.kernel
def eval_thermal_erosion(
    elevations: wp.array2d(dtype=wp.float64),
    rate: wp.float64,
    ny: int,
    nx: int,
    new_elevations: wp.array2d(dtype=wp.float64),
):
    """Thermal erosion. Indices are clamped at the border."""
    j, i = wp.tid()
    elevation = elevations[j, i]
    shifted = wp.float64(0.0)
    for a in range(-1, 2):
        for b in range(-1, 2):
            rise = elevations[wp.clamp(j + a, 0, ny - 1), wp.clamp(i + b, 0, nx - 1)] - elevation
            if rise > TALUS:
                shifted += rise - TALUS
            elif rise < -TALUS:
                shifted += rise + TALUS
    new_elevations[j, i] = elevation + rate * shifted


LAUNCH = {
    "eval_thermal_erosion": {
        "sizes": {"ny": "min(n // 26 + 3, n // 290 + 31)", "nx": "min(n // 44 + 10, 249)"},
        "difficulty": "medium",
        "dims": ["ny", "nx"],
        "parameters": {
            "elevations": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [0.0, 10.0]}},
            "rate": {"values": {"uniform": [0.02, 0.06]}},
            "ny": {"values": {"size": "ny"}},
            "nx": {"values": {"size": "nx"}},
            "new_elevations": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}

MADE_OF = {
    "eval_thermal_erosion": {"goal": "terrain.slumped_elevation", "ending": "per_element", "formulas": ["terrain.slumped_elevation"]},
}
