"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.func
def get_cz(local: wp.vec3):
    """The cz, from local."""
    return wp.clamp(int(wp.floor(local[2])), 0, 11)


@wp.kernel
def grid_deposit(
    active: wp.array(dtype=wp.int32),
    positions: wp.array(dtype=wp.vec3),
    priorities: wp.array(dtype=wp.int32),
    units: wp.array(dtype=wp.int32),
    winners: wp.array3d(dtype=wp.int32),
    masses: wp.array3d(dtype=wp.int32),
    cell_of: wp.array(dtype=wp.int32),
    origin: wp.vec3,
):
    """Particles add to their cell of a grid: the largest priority and masses in whole units.
    Elements that are not active are skipped. Positions outside count for the cell at the border.
    Each particle keeps the number of its cell along axis 0."""
    i = wp.tid()
    if active[i] == 0:
        return
    position = positions[i]
    local = (position - origin) * 6.0
    cx = wp.clamp(int(wp.floor(local[0])), 0, 3)
    cy = wp.clamp(int(wp.floor(local[1])), 0, 7)
    cz = get_cz(local)
    wp.atomic_max(winners, cz, cy, cx, priorities[i])
    amount = units[i]
    wp.atomic_add(masses, cz, cy, cx, amount)
    cell_of[i] = cx


LAUNCH = {
    "grid_deposit": {
        "sizes": {"width": "4", "height": "8", "depth": "12"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "priorities": {"role": "in", "shape": ["n"], "values": {"integers": [0, 1001]}},
            "units": {"role": "in", "shape": ["n"], "values": {"integers": [1, 21]}},
            "winners": {"role": "inout", "shape": ["depth", "height", "width"], "values": {"constant": 0}},
            "masses": {"role": "inout", "shape": ["depth", "height", "width"], "values": {"constant": 0}},
            "cell_of": {"role": "out", "shape": ["n"]},
            "origin": {"values": {"uniform": [-1.2, -1.0]}},
        },
    },
}
