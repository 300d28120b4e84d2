"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.kernel
def verlet_step(
    forces: wp.array(dtype=wp.vec3),
    new_forces: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=float),
    dt: float,
    x: wp.array(dtype=wp.vec3),
    v: wp.array(dtype=wp.vec3),
):
    """Velocity Verlet step with the forces before and after it."""
    i = wp.tid()
    a = forces[i] / masses[i]
    new_a = new_forces[i] / masses[i]
    x[i] = x[i] + dt * v[i] + 0.5 * dt * dt * a
    v[i] = v[i] + 0.5 * dt * (a + new_a)


LAUNCH = {
    "verlet_step": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "forces": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "new_forces": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "dt": {"values": {"uniform": [0.01, 0.05]}},
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [-0.1, 1.0]}},
            "v": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "verlet_step": {"goal": "particle.integrate", "ending": "written", "formulas": []},
}
