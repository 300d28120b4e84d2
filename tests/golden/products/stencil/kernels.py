"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def initialize_crater_elevation(
    rim: float,
    rim_radius: float,
    height: int,
    width: int,
    elevations: wp.array2d(dtype=wp.float32),
):
    """Initialize the terrain with a crater, one thread per cell."""
    y, x = wp.tid()
    place_y = (float(y) + 0.5) / float(height) - 0.5
    place_x = (float(x) + 0.5) / float(width) - 0.5
    ring = 2.0 * (wp.sqrt(place_x * place_x + place_y * place_y) / rim_radius - 1.0)
    elevations[y, x] = rim * wp.exp(-(ring * ring))


@wp.kernel
def compute_steepness_of_slope(
    elevations: wp.array2d(dtype=wp.float32),
    cell_size: float,
    height: int,
    width: int,
    steepness_values: wp.array2d(dtype=wp.float32),
):
    """Compute the gradient magnitude from the slope by central differences. Indices are clamped at
    the border."""
    y, x = wp.tid()
    up = elevations[wp.max(y - 1, 0), x]
    down = elevations[wp.min(y + 1, height - 1), x]
    left = elevations[y, wp.max(x - 1, 0)]
    right = elevations[y, wp.min(x + 1, width - 1)]
    slope = wp.vec2((right - left) / (2.0 * cell_size), (down - up) / (2.0 * cell_size))
    steepness_values[y, x] = wp.length(slope)


LAUNCH = {
    "compute_gradient_magnitude": {
        "description": "Gradient magnitude.",
        "sizes": {"height": "min(n // 30 + 2, n // 300 + 29)", "width": "min(n // 32 + 11, 255)"},
        "difficulty": "hard",
        "steps": [
            {
                "kernel": "initialize_crater_elevation",
                "dims": ["height", "width"],
                "arguments": {"elevations": "elevations", "rim": "rim", "rim_radius": "rim_radius", "height": "height", "width": "width"},
            },
            {
                "kernel": "compute_steepness_of_slope",
                "dims": ["height", "width"],
                "arguments": {"elevations": "elevations", "steepness_values": "steepness_values", "cell_size": "cell_size", "height": "height", "width": "width"},
            },
        ],
        "parameters": {
            "rim": {"values": {"uniform": [2.0, 6.0]}},
            "rim_radius": {"values": {"uniform": [0.15, 0.35]}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "cell_size": {"values": {"uniform": [1.0, 5.0]}},
            "elevations": {"role": "out", "shape": ["height", "width"]},
            "steepness_values": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "compute_gradient_magnitude": {"goal": "terrain.steepness_of_slope", "ending": "launched", "formulas": ["terrain.steepness_of_slope", "terrain.central_slope", "terrain.crater_elevation"]},
}

PARTS = ["initialize_crater_elevation", "compute_steepness_of_slope"]
