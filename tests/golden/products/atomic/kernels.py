"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places; counters that lists grow by.
"""

import warp as wp


@wp.kernel
def particle_to_grid(
    positions: wp.array(dtype=wp.vec2),
    masss: wp.array(dtype=float),
    inv_cell: float,
    num_cells: int,
    grid: wp.array2d(dtype=float),
):
    """Spread the mass of each particle over the 4 nearest nodes with bilinear weights, on a
    periodic grid."""
    p = wp.tid()
    mass = masss[p]
    scaled = positions[p] * inv_cell
    i = int(wp.floor(scaled[0]))
    j = int(wp.floor(scaled[1]))
    fx = scaled[0] - float(i)
    fy = scaled[1] - float(j)
    for di in range(2):
        for dj in range(2):
            weight = wp.where(di == 0, 1.0 - fx, fx) * wp.where(dj == 0, 1.0 - fy, fy)
            wp.atomic_add(grid, (i + di) % num_cells, (j + dj) % num_cells, weight * mass)


LAUNCH = {
    "particle_to_grid": {
        "sizes": {"cells": "40"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 20.0]}},
            "masss": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 1.5]}},
            "inv_cell": {"values": {"constant": 1.0}},
            "num_cells": {"values": {"size": "cells"}},
            "grid": {"role": "inout", "shape": ["cells", "cells"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "particle_to_grid": {"goal": "atomic.splat_deposit", "ending": "written", "formulas": []},
}
