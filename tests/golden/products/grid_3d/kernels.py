"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata.
"""

import warp as wp


@wp.kernel
def coarsen(
    mask: wp.array3d(dtype=wp.int32),
    levels: wp.array3d(dtype=wp.float32),
    alive_flags: wp.array3d(dtype=wp.int32),
    material_of: wp.array3d(dtype=wp.int32),
    smoothings: wp.array(dtype=wp.float32),
    nx: int,
    ny: int,
    nz: int,
    coarse_values: wp.array3d(dtype=wp.float32),
):
    """Mean of the 8 cells that a coarse cell replaces. Elements outside the mask are skipped. Where
    alive_flags[i, j, k] is zero, 0.9 takes the place of the coarse value. The result is multiplied
    by 2.5. The stored value moves towards the result by the factor smoothings[material_of[i, j,
    k]]."""
    cell = wp.tid()
    if cell >= nx * ny * nz:
        return
    k = cell // (ny * nx)
    rest = cell % (ny * nx)
    j = rest // nx
    i = rest % nx
    if mask[i, j, k] == 0:
        return
    total = float(0.0)
    for a in range(2):
        for b in range(2):
            for c in range(2):
                total += levels[2 * i + a, 2 * j + b, 2 * k + c]
    gated_coarse_value = wp.where(alive_flags[i, j, k] == 0, 0.9, total * 0.125)
    coarse_value = 2.5 * gated_coarse_value
    coarse_values[i, j, k] = (
        (1.0 - smoothings[material_of[i, j, k]]) * coarse_values[i, j, k]
        + smoothings[material_of[i, j, k]] * coarse_value
    )


LAUNCH = {
    "coarsen": {
        "sizes": {"nx": "(n + 31) // 32", "ny": "4", "nz": "8"},
        "difficulty": "expert",
        "dims": ["(nx * ny * nz + 255) // 256 * 256"],
        "parameters": {
            "mask": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"integers": [0, 2]}},
            "levels": {"role": "in", "shape": ["2 * nx", "2 * ny", "2 * nz"], "values": {"uniform": [-1.0, 1.0]}},
            "alive_flags": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"integers": [0, 2]}},
            "material_of": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"integers": [0, 3]}},
            "smoothings": {"role": "in", "shape": ["3"], "values": {"uniform": [0.05, 0.6]}},
            "nx": {"values": {"size": "nx"}},
            "ny": {"values": {"size": "ny"}},
            "nz": {"values": {"size": "nz"}},
            "coarse_values": {"role": "inout", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
