"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: fields and their differences, flows, height fields, automata.
"""

import warp as wp


DX = wp.constant(0.19)


@wp.struct
class CellParams:
    """Parameters of all cells."""

    resistance: float
    conductance: float


@wp.kernel
def jacobi_temperature(
    temperatures: wp.array2d(dtype=wp.float32),
    currents: wp.array2d(dtype=wp.vec2),
    options: CellParams,
    height: int,
    width: int,
    new_temperatures: wp.array2d(dtype=wp.float32),
):
    """Jacobi iteration of the steady heat equation from the Joule heating. Periodic boundaries."""
    y, x = wp.tid()
    current = currents[y, x]
    heat_source = options.resistance * wp.dot(current, current)
    up = temperatures[(y - 1 + height) % height, x]
    down = temperatures[(y + 1) % height, x]
    left = temperatures[y, (x - 1 + width) % width]
    right = temperatures[y, (x + 1) % width]
    new_temperatures[y, x] = (
        (up + down + left + right + DX * DX * heat_source / options.conductance) / 4.0
    )


LAUNCH = {
    "jacobi_temperature": {
        "sizes": {"height": "min(n // 28 + 1, n // 320 + 35)", "width": "min(n // 36 + 13, 253)"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "temperatures": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "currents": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-0.5, 0.5]}},
            "options": {"values": {"members": {"resistance": {"uniform": [0.5, 2.0]}, "conductance": {"uniform": [0.5, 2.0]}}}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "new_temperatures": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "jacobi_temperature": {"goal": "fields.jacobi_temperature", "ending": "per_element", "formulas": ["fields.jacobi_temperature", "fields.joule_source"]},
}
