"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: fields and their differences, flows, height fields, automata.
"""

import warp as wp


@wp.kernel
def set_elevation(
    elevations: wp.array2d(dtype=wp.float64),
    rim: wp.float64,
    rim_radius: wp.float64,
    ny: int,
    nx: int,
):
    """Set the elevation of each cell to a crater in the middle."""
    j, i = wp.tid()
    place_y = (wp.float64(j) + wp.float64(0.5)) / wp.float64(ny) - wp.float64(0.5)
    place_x = (wp.float64(i) + wp.float64(0.5)) / wp.float64(nx) - wp.float64(0.5)
    ring = (
        wp.float64(2.0)
        * (wp.sqrt(place_x * place_x + place_y * place_y) / rim_radius - wp.float64(1.0))
    )
    elevation = rim * wp.exp(-(ring * ring))
    elevations[j, i] = elevation


@wp.kernel
def cell_slope(
    elevations: wp.array2d(dtype=wp.float64),
    slopes: wp.array2d(dtype=wp.vec2d),
    cell_size: wp.float64,
    ny: int,
    nx: int,
):
    """Compute the slope of each cell by Horn's method. Neighbors outside the grid are clamped to
    its border."""
    j, i = wp.tid()
    south = elevations[wp.max(j - 1, 0), i]
    north = elevations[wp.min(j + 1, ny - 1), i]
    west = elevations[j, wp.max(i - 1, 0)]
    east = elevations[j, wp.min(i + 1, nx - 1)]
    south_west = elevations[wp.max(j - 1, 0), wp.max(i - 1, 0)]
    south_east = elevations[wp.max(j - 1, 0), wp.min(i + 1, nx - 1)]
    north_west = elevations[wp.min(j + 1, ny - 1), wp.max(i - 1, 0)]
    north_east = elevations[wp.min(j + 1, ny - 1), wp.min(i + 1, nx - 1)]
    slope = wp.vec2d(
        (
            south_east
            + wp.float64(2.0) * east
            + north_east
            - (south_west + wp.float64(2.0) * west + north_west)
        )
        / (wp.float64(8.0) * cell_size),
        (
            north_west
            + wp.float64(2.0) * north
            + north_east
            - (south_west + wp.float64(2.0) * south + south_east)
        )
        / (wp.float64(8.0) * cell_size),
    )
    slopes[j, i] = slope


LAUNCH = {
    "horn_slope": {
        "description": "Compute the slope of each cell by Horn's method.",
        "sizes": {"ny": "(n + 60) // 61", "nx": "min(n // 2 + 7, 61)"},
        "difficulty": "hard",
        "steps": [
            {
                "kernel": "set_elevation",
                "dims": ["ny", "nx"],
                "arguments": {"elevations": "elevations", "rim": "rim", "rim_radius": "rim_radius", "ny": "ny", "nx": "nx"},
            },
            {
                "kernel": "cell_slope",
                "dims": ["ny", "nx"],
                "arguments": {"elevations": "elevations", "slopes": "slopes", "cell_size": "cell_size", "ny": "ny", "nx": "nx"},
            },
        ],
        "parameters": {
            "elevations": {"role": "out", "shape": ["ny", "nx"]},
            "slopes": {"role": "out", "shape": ["ny", "nx"]},
            "rim": {"values": {"uniform": [2.0, 6.0]}},
            "rim_radius": {"values": {"uniform": [0.15, 0.35]}},
            "ny": {"values": {"size": "ny"}},
            "nx": {"values": {"size": "nx"}},
            "cell_size": {"values": {"uniform": [1.0, 5.0]}},
        },
    },
}

MADE_OF = {
    "horn_slope": {"goal": "terrain.horn_slope", "ending": "launched", "formulas": ["terrain.horn_slope", "terrain.crater_elevation"]},
}

PARTS = ["set_elevation", "cell_slope"]
