"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata.
"""

import warp as wp


@wp.kernel
def automaton(
    enabled: wp.array2d(dtype=wp.int32),
    grid_states: wp.array2d(dtype=wp.int32),
    frozen: wp.array2d(dtype=wp.int32),
    height: int,
    width: int,
    neighbor_counts: wp.array2d(dtype=wp.int32),
    cells: wp.array2d(dtype=wp.int32),
):
    """A cellular automaton of 2 states: a cell follows the majority at 4; by the sum of neighbours
    among 8 cells. Elements that are not enabled are skipped. Beyond the border the nearest cell
    counts. Frozen cells keep their state. The sum of neighbours is stored as well."""
    y, x = wp.tid()
    if enabled[y, x] == 0:
        return
    own = grid_states[y, x]
    alive = int(0)
    for a in range(-1, 2):
        for b in range(-1, 2):
            alive += grid_states[wp.clamp(y + a, 0, height - 1), wp.clamp(x + b, 0, width - 1)]
    alive -= own
    next_state = own
    if alive > 4:
        next_state = 1
    elif alive < 4:
        next_state = 0
    neighbor_counts[y, x] = alive
    cells[y, x] = wp.where(frozen[y, x] > 0, own, next_state)


LAUNCH = {
    "automaton": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "expert",
        "dims": ["height", "width"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 2]}},
            "grid_states": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 2]}},
            "frozen": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 2]}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "neighbor_counts": {"role": "out", "shape": ["height", "width"]},
            "cells": {"role": "out", "shape": ["height", "width"]},
        },
    },
}
