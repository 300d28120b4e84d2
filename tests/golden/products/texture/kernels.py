"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.kernel
def compute_outflow(
    elevations: wp.array2d(dtype=wp.float32),
    water_depths: wp.array2d(dtype=wp.float32),
    dt: float,
    rows: int,
    cols: int,
    outflows: wp.array2d(dtype=wp.float32),
):
    """Compute the outflow of each cell through pipes to the four neighbors. Beyond the border the
    nearest element counts."""
    row, col = wp.tid()
    elevation = elevations[row, col]
    water_depth = water_depths[row, col]
    surface = elevation + water_depth
    up = elevations[wp.max(row - 1, 0), col]
    down = elevations[wp.min(row + 1, rows - 1), col]
    left = elevations[row, wp.max(col - 1, 0)]
    right = elevations[row, wp.min(col + 1, cols - 1)]
    up_water_depth = water_depths[wp.max(row - 1, 0), col]
    down_water_depth = water_depths[wp.min(row + 1, rows - 1), col]
    left_water_depth = water_depths[row, wp.max(col - 1, 0)]
    right_water_depth = water_depths[row, wp.min(col + 1, cols - 1)]
    outflow = wp.min(
        9.81
        * dt
        * (
            wp.max(surface - up - up_water_depth, 0.0)
            + wp.max(surface - down - down_water_depth, 0.0)
            + wp.max(surface - left - left_water_depth, 0.0)
            + wp.max(surface - right - right_water_depth, 0.0)
        ),
        water_depth,
    )
    outflows[row, col] = outflow


LAUNCH = {
    "compute_outflow": {
        "sizes": {"rows": "(n + 36) // 37", "cols": "min(n // 2 + 6, 37)"},
        "difficulty": "hard",
        "dims": ["rows", "cols"],
        "parameters": {
            "elevations": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 10.0]}},
            "water_depths": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 2.0]}},
            "dt": {"values": {"uniform": [0.001, 0.02]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "outflows": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
