"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts.
"""

import warp as wp


CREEP = wp.constant(0.9)


@wp.kernel
def cell_elevation(
    elevations: wp.array2d(dtype=wp.float32),
    cell_size: float,
    dt: float,
    new_elevations: wp.array2d(dtype=wp.float32),
):
    """Advance the elevation of each cell by soil creep. `elevations` has one ghost cell on each
    side. Each block stages a tile with its halo in shared memory."""
    block_j, block_i, thread = wp.tid()
    local_j = thread // 32
    local_i = thread % 32
    j = block_j * 8 + local_j
    i = block_i * 32 + local_i
    elevations_halo = wp.tile_load(
        elevations, shape=(10, 34), offset=(block_j * 8, block_i * 32), storage="shared"
    )
    elevation = elevations_halo[local_j + 1, local_i + 1]
    south = elevations_halo[local_j, local_i + 1]
    north = elevations_halo[local_j + 2, local_i + 1]
    west = elevations_halo[local_j + 1, local_i]
    east = elevations_halo[local_j + 1, local_i + 2]
    new_elevation = (
        elevation
        + dt * CREEP * ((south + north + west + east - 4.0 * elevation) / (cell_size * cell_size))
    )
    new_elevations[j, i] = new_elevation


LAUNCH = {
    "cell_elevation": {
        "sizes": {"ny": "8 * min((n + 31) // 32, 80)", "nx": "32 * min(n // 64 + 1, 6)"},
        "difficulty": "hard",
        "dims": ["ny // 8", "nx // 32"],
        "block_dim": 256,
        "parameters": {
            "elevations": {"role": "in", "shape": ["ny + 2", "nx + 2"], "values": {"uniform": [0.0, 10.0]}},
            "cell_size": {"values": {"uniform": [1.0, 5.0]}},
            "dt": {"values": {"uniform": [0.001, 0.02]}},
            "new_elevations": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}

MADE_OF = {
    "cell_elevation": {"goal": "terrain.crept_elevation", "ending": "in_halo_tiles", "formulas": ["terrain.crept_elevation"]},
}
