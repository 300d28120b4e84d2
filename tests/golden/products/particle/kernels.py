"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.func
def particle_momentum(mass: wp.float64, velocity: wp.vec2d):
    """Momentum."""
    return mass * velocity


@wp.kernel
def net_acceleration(
    positions: wp.array(dtype=wp.vec2d),
    neighbors: wp.array2d(dtype=wp.int32),
    drag_forces: wp.array(dtype=wp.vec2d),
    masses: wp.array(dtype=wp.float64),
    velocities: wp.array(dtype=wp.vec2d),
    bond_length: wp.float64,
    max_neighbors: int,
    gravity: wp.float64,
    origin: wp.vec2d,
    cells_per_unit: wp.float64,
    width: int,
    height: int,
    accelerations: wp.array(dtype=wp.vec2d),
    cells: wp.array(dtype=wp.int32),
    angular_momenta: wp.array(dtype=wp.float64),
):
    """Compute the acceleration of each particle from the net force and gravity. The net force is
    summed from interaction and drag. The cell is found as well, in a uniform grid, in row-major
    order. The angular momentum is computed as well, about the third axis."""
    particle = wp.tid()
    position = positions[particle]
    force = wp.vec2d(wp.float64(0.0), wp.float64(0.0))
    for slot in range(max_neighbors):
        j = neighbors[particle, slot]
        if j < 0:
            break
        offset = position - positions[j]
        distance = wp.max(wp.length(offset), wp.float64(0.15))
        if distance < wp.float64(0.6):
            decay = wp.exp(wp.float64(2.3) * (bond_length - distance))
            force += wp.float64(5.06) * decay * (decay - wp.float64(1.0)) / distance * offset
    drag_force = drag_forces[particle]
    net_force = force + drag_force
    mass = masses[particle]
    acceleration = net_force / mass - wp.vec2d(wp.float64(0.0), gravity)
    accelerations[particle] = acceleration
    local = (position - origin) * cells_per_unit
    cell_x = wp.clamp(int(wp.floor(local[0])), 0, width - 1)
    cell_y = wp.clamp(int(wp.floor(local[1])), 0, height - 1)
    cell = cell_y * width + cell_x
    cells[particle] = cell
    velocity = velocities[particle]
    momentum = particle_momentum(mass, velocity)
    angular_momentum = position[0] * momentum[1] - position[1] * momentum[0]
    angular_momenta[particle] = angular_momentum


LAUNCH = {
    "net_acceleration": {
        "sizes": {"max_neighbors": "8", "width": "16", "height": "16"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "neighbors": {"role": "in", "shape": ["n", "max_neighbors"], "values": {"integers": [-1, "n"]}},
            "drag_forces": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.5]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "bond_length": {"values": {"uniform": [0.2, 0.8]}},
            "max_neighbors": {"values": {"size": "max_neighbors"}},
            "gravity": {"values": {"uniform": [5.0, 10.0]}},
            "origin": {"values": {"uniform": [-1.2, -1.0]}},
            "cells_per_unit": {"values": {"uniform": [4.0, 8.0]}},
            "width": {"values": {"size": "width"}},
            "height": {"values": {"size": "height"}},
            "accelerations": {"role": "out", "shape": ["n"]},
            "cells": {"role": "out", "shape": ["n"]},
            "angular_momenta": {"role": "out", "shape": ["n"]},
        },
    },
}
