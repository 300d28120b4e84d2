"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def steepness_of_slope(
    elevations: wp.array2d(dtype=wp.float32),
    steepness_values: wp.array2d(dtype=wp.float32),
    cell_size: float,
    ny: int,
    nx: int,
):
    """Compute the steepness of each cell as the length of the slope, with the slope by central
    differences. Neighbors outside the grid are clamped to its border."""
    j, i = wp.tid()
    south = elevations[wp.max(j - 1, 0), i]
    north = elevations[wp.min(j + 1, ny - 1), i]
    west = elevations[j, wp.max(i - 1, 0)]
    east = elevations[j, wp.min(i + 1, nx - 1)]
    slope = wp.vec2((east - west) / (2.0 * cell_size), (north - south) / (2.0 * cell_size))
    steepness = wp.length(slope)
    steepness_values[j, i] = steepness


LAUNCH = {
    "steepness_of_slope": {
        "sizes": {"ny": "(n + 60) // 61", "nx": "min(n // 2 + 7, 61)"},
        "difficulty": "easy",
        "dims": ["ny", "nx"],
        "parameters": {
            "elevations": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [0.0, 10.0]}},
            "steepness_values": {"role": "out", "shape": ["ny", "nx"]},
            "cell_size": {"values": {"uniform": [1.0, 5.0]}},
            "ny": {"values": {"size": "ny"}},
            "nx": {"values": {"size": "nx"}},
        },
    },
}

MADE_OF = {
    "steepness_of_slope": {"goal": "terrain.steepness_of_slope", "ending": "per_element", "formulas": ["terrain.steepness_of_slope", "terrain.central_slope"]},
}
