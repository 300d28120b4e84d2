"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts, filters.
"""

import warp as wp


@wp.func
def cylinder_inertia(mass: float, radius: float, height: float):
    """Inertia as that of a cylinder along the third axis."""
    across = mass * (3.0 * radius * radius + height * height) / 12.0
    return wp.vec3(across, across, 0.5 * mass * radius * radius)


@wp.kernel
def advance_local_spin(
    local_spins: wp.array(dtype=wp.vec3),
    torques: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=wp.float32),
    radii: wp.array(dtype=wp.float32),
    heights: wp.array(dtype=wp.float32),
    angular_damping: float,
    dt: float,
    new_local_spins: wp.array(dtype=wp.vec3),
):
    """Advance the local spin of each body by the torque, with damping taken implicitly, where the
    inertia is that of a cylinder along the third axis."""
    b = wp.tid()
    local_spin = local_spins[b]
    torque = torques[b]
    mass = masses[b]
    radius = radii[b]
    height = heights[b]
    inertia = cylinder_inertia(mass, radius, height)
    new_local_spin = (local_spin + dt * wp.cw_div(torque, inertia)) / (1.0 + angular_damping * dt)
    new_local_spins[b] = new_local_spin


LAUNCH = {
    "advance_local_spin": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "local_spins": {"role": "in", "shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "torques": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 3.0]}},
            "radii": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 1.0]}},
            "heights": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "angular_damping": {"values": {"uniform": [0.05, 0.5]}},
            "dt": {"values": {"uniform": [0.001, 0.05]}},
            "new_local_spins": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "advance_local_spin": {"goal": "bodies.damped_spin", "ending": "per_element", "formulas": ["bodies.damped_spin", "bodies.cylinder_inertia"]},
}
