"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid.
"""

import warp as wp


SOFTENING = wp.constant(0.05)


@wp.kernel
def accelerate(
    positions: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=float),
    count: int,
    accelerations: wp.array(dtype=wp.vec3),
):
    """Gravity of all bodies on each one, softened at short range."""
    i = wp.tid()
    here = positions[i]
    total = wp.vec3()
    for j in range(count):
        to_other = positions[j] - here
        r2 = wp.length_sq(to_other) + SOFTENING * SOFTENING
        total += masses[j] / (r2 * wp.sqrt(r2)) * to_other
    accelerations[i] = total


@wp.kernel
def kick(
    accelerations: wp.array(dtype=wp.vec3),
    half_dt: float,
    velocities: wp.array(dtype=wp.vec3),
):
    """Half a step of the velocities."""
    i = wp.tid()
    velocities[i] = velocities[i] + half_dt * accelerations[i]


@wp.kernel
def drift(velocities: wp.array(dtype=wp.vec3), dt: float, positions: wp.array(dtype=wp.vec3)):
    """A step of the positions."""
    i = wp.tid()
    positions[i] = positions[i] + dt * velocities[i]


@wp.kernel
def add_kinetic_energy(
    velocities: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=float),
    energy: wp.array(dtype=float),
):
    """Kinetic energy of all bodies."""
    i = wp.tid()
    wp.atomic_add(energy, 0, 0.5 * masses[i] * wp.length_sq(velocities[i]))


LAUNCH = {
    "integrate_nbody": {
        "description": "Advance gravitating bodies by two steps of the kick-drift-kick leapfrog, and sum their kinetic energy.",
        "sizes": {"bodies": "min(n, 256)"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"kernel": "accelerate", "dims": ["bodies"], "arguments": {}},
            {"repeat": 2, "steps": [
                {"kernel": "kick", "dims": ["bodies"], "arguments": {}},
                {"kernel": "drift", "dims": ["bodies"], "arguments": {}},
                {"kernel": "accelerate", "dims": ["bodies"], "arguments": {}},
                {"kernel": "kick", "dims": ["bodies"], "arguments": {}},
            ]},
            {"zero": "energy"},
            {"kernel": "add_kinetic_energy", "dims": ["bodies"], "arguments": {}},
        ],
        "parameters": {
            "positions": {"role": "inout", "shape": ["bodies"], "values": {"uniform": [-1.0, 1.0]}},
            "velocities": {"role": "inout", "shape": ["bodies"], "values": {"uniform": [-0.5, 0.5]}},
            "masses": {"role": "in", "shape": ["bodies"], "values": {"uniform": [0.5, 1.5]}},
            "count": {"values": {"size": "bodies"}},
            "dt": {"values": {"constant": 0.02}},
            "half_dt": {"values": {"constant": 0.01}},
            "accelerations": {"role": "out", "shape": ["bodies"]},
            "energy": {"role": "out", "shape": ["1"]},
        },
    },
}

MADE_OF = {
    "integrate_nbody": {"goal": "multi_launch.leapfrog_nbody", "ending": "written", "formulas": []},
}

PARTS = ["accelerate", "kick", "drift", "add_kinetic_energy"]
