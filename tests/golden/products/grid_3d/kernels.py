"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata.
"""

import warp as wp


@wp.kernel
def level_set(
    phi: wp.array3d(dtype=wp.float64),
    crossings: wp.array3d(dtype=wp.float64),
    crossing_levels: wp.array3d(dtype=wp.int32),
    width: int,
):
    """Share of the way to the nearest sign change, 1 where there is none. Beyond the border the
    nearest element counts. The level of the crossing in steps of 1/8, rounded up, is stored as
    well."""
    z, y, x = wp.tid()
    here = phi[z, y, x]
    nearest = wp.float64(1.0)
    next_2 = phi[z, y, wp.min(x + 1, width - 1)]
    if here * next_2 < wp.float64(0.0):
        nearest = wp.min(nearest, wp.abs(here) / (wp.abs(here) + wp.abs(next_2) + wp.float64(0.05)))
    crossings[z, y, x] = nearest
    crossing_levels[z, y, x] = int(wp.ceil(nearest * wp.float64(8.0)))


LAUNCH = {
    "level_set": {
        "sizes": {"depth": "3", "height": "(n + 14) // 15", "width": "5"},
        "difficulty": "medium",
        "dims": ["depth", "height", "width"],
        "parameters": {
            "phi": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "crossings": {"role": "out", "shape": ["depth", "height", "width"]},
            "crossing_levels": {"role": "out", "shape": ["depth", "height", "width"]},
            "width": {"values": {"size": "width"}},
        },
    },
}
