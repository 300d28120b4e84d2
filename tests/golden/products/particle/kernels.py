"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.func
def boris_rotate(velocity: wp.vec3, half_turn: wp.vec3):
    """Rotate a velocity around the magnetic field, where half_turn is q B dt / (2 m)."""
    s = 2.0 / (1.0 + wp.dot(half_turn, half_turn)) * half_turn
    prime = velocity + wp.cross(velocity, half_turn)
    return velocity + wp.cross(prime, s)


@wp.kernel
def push_particles(
    electric: wp.array(dtype=wp.vec3),
    magnetic: wp.vec3,
    charge_to_mass: float,
    dt: float,
    x: wp.array(dtype=wp.vec3),
    v: wp.array(dtype=wp.vec3),
):
    """Advance charged particles by a Boris push: half an electric kick, a magnetic rotation,
    another half kick, and a drift."""
    p = wp.tid()
    kick = (0.5 * dt * charge_to_mass) * electric[p]
    minus = v[p] + kick
    half_turn = (0.5 * dt * charge_to_mass) * magnetic
    updated = boris_rotate(minus, half_turn) + kick
    v[p] = updated
    x[p] += dt * updated


LAUNCH = {
    "push_particles": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "electric": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "magnetic": {"values": {"uniform": [-2.0, 2.0]}},
            "charge_to_mass": {"values": {"uniform": [-1.5, -0.5]}},
            "dt": {"values": {"uniform": [0.02, 0.1]}},
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.1, 4.0]}},
            "v": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "push_particles": {"goal": "particle.boris_push", "ending": "written", "formulas": []},
}
