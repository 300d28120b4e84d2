"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbors, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.func
def rotate_velocity(velocity: wp.vec3, half_turn: wp.vec3):
    """Return a velocity rotated about the magnetic field by Boris's method, where half_turn is q B
    dt / (2 m)."""
    s = 2.0 / (1.0 + wp.dot(half_turn, half_turn)) * half_turn
    prime = velocity + wp.cross(velocity, half_turn)
    return velocity + wp.cross(prime, s)


@wp.func
def gather_field(field: wp.array3d(dtype=wp.vec3), p: wp.vec3, inv_cell: float):
    """Return a field interpolated trilinearly at a point inside the grid, whose node (i, j, k) lies
    at (i, j, k) / inv_cell."""
    scaled = inv_cell * p
    i = wp.clamp(int(scaled[0]), 0, field.shape[0] - 2)
    j = wp.clamp(int(scaled[1]), 0, field.shape[1] - 2)
    k = wp.clamp(int(scaled[2]), 0, field.shape[2] - 2)
    f = scaled - wp.vec3(float(i), float(j), float(k))
    total = wp.vec3(0.0, 0.0, 0.0)
    for di in range(2):
        wx = wp.where(di == 0, 1.0 - f[0], f[0])
        for dj in range(2):
            wy = wp.where(dj == 0, 1.0 - f[1], f[1])
            lower = field[i + di, j + dj, k]
            upper = field[i + di, j + dj, k + 1]
            total += wx * wy * wp.lerp(lower, upper, f[2])
    return total


@wp.kernel
def advance_charges(
    electric: wp.array3d(dtype=wp.vec3),
    magnetic: wp.vec3,
    inv_cell: float,
    charge_to_mass: float,
    dt: float,
    positions: wp.array(dtype=wp.vec3),
    velocities: wp.array(dtype=wp.vec3),
    energies: wp.array(dtype=float),
):
    """Advance charged particles by a Boris push: half an electric kick, a magnetic rotation,
    another half kick, and a drift. Kinetic energies are per unit mass."""
    p = wp.tid()
    field = gather_field(electric, positions[p], inv_cell)
    kick = (0.5 * dt * charge_to_mass) * field
    minus = velocities[p] + kick
    half_turn = (0.5 * dt * charge_to_mass) * magnetic
    updated = rotate_velocity(minus, half_turn) + kick
    velocities[p] = updated
    positions[p] += dt * updated
    energies[p] = 0.5 * wp.length_sq(updated)


LAUNCH = {
    "advance_charges": {
        "difficulty": "medium",
        "sizes": {"nx": "8", "ny": "8", "nz": "8"},
        "dims": ["n"],
        "parameters": {
            "electric": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-1.0, 1.0]}},
            "magnetic": {"values": {"uniform": [-2.0, 2.0]}},
            "inv_cell": {"values": {"constant": 2.0}},
            "charge_to_mass": {"values": {"uniform": [-1.5, -0.5]}},
            "dt": {"values": {"uniform": [0.02, 0.1]}},
            "positions": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.1, 3.0]}},
            "velocities": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "energies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "advance_charges": {"goal": "particle.boris_push", "ending": "written", "formulas": []},
}
