"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.func
def weight_potential(mass: float, position: wp.vec2, gravity: float):
    """Potential energy under uniform gravity."""
    return mass * gravity * position[1]


@wp.kernel
def deposit_potential_energy(
    masses: wp.array(dtype=wp.float32),
    positions: wp.array(dtype=wp.vec2),
    grid_potential_energies: wp.array2d(dtype=wp.float32),
    gravity: float,
    origin: wp.vec2,
    cells_per_unit: float,
    width: int,
    height: int,
):
    """Scatter the potential energy of each particle on a grid by quadratic spline weights. The
    potential energy is computed under uniform gravity."""
    p = wp.tid()
    mass = masses[p]
    position = positions[p]
    potential_energy = weight_potential(mass, position, gravity)
    local = (position - origin) * cells_per_unit
    width_start = wp.clamp(int(wp.floor(local[0] - 0.5)), 0, width - 3)
    height_start = wp.clamp(int(wp.floor(local[1] - 0.5)), 0, height - 3)
    for dy in range(3):
        y = height_start + dy
        away = wp.abs(local[1] - float(y))
        far = 1.5 - wp.min(away, 1.5)
        weight_y = wp.where(
            wp.min(away, 1.5) < 0.5, 0.75 - wp.min(away, 1.5) * wp.min(away, 1.5), 0.5 * far * far
        )
        for dx in range(3):
            x = width_start + dx
            other_away = wp.abs(local[0] - float(x))
            other_far = 1.5 - wp.min(other_away, 1.5)
            weight_x = (
                weight_y
                * wp.where(
                    wp.min(other_away, 1.5) < 0.5,
                    0.75 - wp.min(other_away, 1.5) * wp.min(other_away, 1.5),
                    0.5 * other_far * other_far,
                )
            )
            wp.atomic_add(grid_potential_energies, y, x, weight_x * potential_energy)


LAUNCH = {
    "deposit_potential_energy": {
        "sizes": {"width": "24", "height": "12"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.5]}},
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "grid_potential_energies": {"role": "inout", "shape": ["height", "width"], "values": {"constant": 0.0}},
            "gravity": {"values": {"uniform": [5.0, 10.0]}},
            "origin": {"values": {"uniform": [-1.2, -1.0]}},
            "cells_per_unit": {"values": {"uniform": [4.0, 8.0]}},
            "width": {"values": {"size": "width"}},
            "height": {"values": {"size": "height"}},
        },
    },
}
