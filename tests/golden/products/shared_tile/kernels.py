"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts.
"""

import warp as wp


@wp.kernel
def compute_crept_elevation(
    elevations: wp.array2d(dtype=wp.float32),
    creep: float,
    cell_size: float,
    dt: float,
    new_elevations: wp.array2d(dtype=wp.float32),
):
    """Compute the soil creep. `elevations` has one ghost cell on each side."""
    block_y, block_x, thread = wp.tid()
    thread_y = thread // 32
    thread_x = thread % 32
    y = block_y * 8 + thread_y
    x = block_x * 32 + thread_x
    elevations_halo = wp.tile_load(
        elevations, shape=(10, 34), offset=(block_y * 8, block_x * 32), storage="shared"
    )
    elevation = elevations_halo[thread_y + 1, thread_x + 1]
    up = elevations_halo[thread_y, thread_x + 1]
    down = elevations_halo[thread_y + 2, thread_x + 1]
    left = elevations_halo[thread_y + 1, thread_x]
    right = elevations_halo[thread_y + 1, thread_x + 2]
    new_elevation = (
        elevation
        + dt * creep * ((up + down + left + right - 4.0 * elevation) / (cell_size * cell_size))
    )
    new_elevations[y, x] = new_elevation


LAUNCH = {
    "compute_crept_elevation": {
        "sizes": {"height": "8 * min(n // 200 + 1, n // 2048 + 3)", "width": "32 * min(n // 16 + 1, 6)"},
        "difficulty": "hard",
        "dims": ["height // 8", "width // 32"],
        "block_dim": 256,
        "parameters": {
            "elevations": {"role": "in", "shape": ["height + 2", "width + 2"], "values": {"uniform": [0.0, 10.0]}},
            "creep": {"values": {"uniform": [0.1, 0.9]}},
            "cell_size": {"values": {"uniform": [1.0, 5.0]}},
            "dt": {"values": {"uniform": [0.001, 0.02]}},
            "new_elevations": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "compute_crept_elevation": {"goal": "terrain.crept_elevation", "ending": "in_halo_tiles", "formulas": ["terrain.crept_elevation"]},
}
