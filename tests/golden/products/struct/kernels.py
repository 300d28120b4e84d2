"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


@wp.struct
class VoxelGrid:
    """Samples on a regular grid of cubic cells. origin is the position of the sample [0, 0, 0]."""

    origin: wp.vec3
    spacing: float
    values: wp.array3d(dtype=float)


@wp.func
def sample(grid: VoxelGrid, p: wp.vec3):
    """Return a grid interpolated trilinearly at a position. Samples beyond the grid count as
    zero."""
    u = (p - grid.origin) / grid.spacing
    i = int(wp.floor(u[0]))
    j = int(wp.floor(u[1]))
    k = int(wp.floor(u[2]))
    f = u - wp.vec3(float(i), float(j), float(k))
    nx = grid.values.shape[0]
    ny = grid.values.shape[1]
    nz = grid.values.shape[2]
    total = float(0.0)
    for a in range(2):
        x = i + a
        if x < 0 or x >= nx:
            continue
        wx = wp.where(a == 0, 1.0 - f[0], f[0])
        for b in range(2):
            y = j + b
            if y < 0 or y >= ny:
                continue
            wxy = wx * wp.where(b == 0, 1.0 - f[1], f[1])
            for c in range(2):
                z = k + c
                if z >= 0 and z < nz:
                    wz = wp.where(c == 0, 1.0 - f[2], f[2])
                    total += wxy * wz * grid.values[x, y, z]
    return total


@wp.kernel
def sample_grid(grid: VoxelGrid, points: wp.array(dtype=wp.vec3), samples: wp.array(dtype=float)):
    """Sample a grid at points in the world by trilinear interpolation. Samples beyond the grid
    count as zero."""
    i = wp.tid()
    samples[i] = sample(grid, points[i])


LAUNCH = {
    "sample_grid": {
        "sizes": {"nx": "16", "ny": "16", "nz": "16"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "grid.origin": {"values": {"uniform": [-1.2, -0.8]}},
            "grid.spacing": {"values": {"uniform": [0.1, 0.2]}},
            "grid.values": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [0.0, 1.0]}},
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "samples": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sample_grid": {"goal": "struct.volume_grid", "ending": "written", "formulas": []},
}
