"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


DRIVE_VOLTAGE = wp.constant(0.6)
WAVE_NUMBER = wp.constant(4.6)
FLOW_SPEED = wp.constant(0.6)
VISCOSITY = wp.constant(0.3)
PI = wp.constant(3.141592653589793)


@wp.func
def paul_trap_field(position: wp.vec3, static_voltage: float, phase: float):
    """Electric field in a Paul trap."""
    strength = static_voltage + DRIVE_VOLTAGE * wp.cos(phase)
    return wp.vec3(
        0.5 * strength * position[0], 0.5 * strength * position[1], -1.0 * strength * position[2]
    )


@wp.kernel
def compute_acceleration(
    charges: wp.array(dtype=wp.float32),
    velocities: wp.array(dtype=wp.vec3),
    positions: wp.array(dtype=wp.vec3),
    radii: wp.array(dtype=wp.float32),
    masses: wp.array(dtype=wp.float32),
    static_voltage: float,
    phase: float,
    guide_field: float,
    sheet_width: float,
    sheet_field: float,
    gravity: float,
    accelerations: wp.array(dtype=wp.vec3),
):
    """Compute the acceleration of each particle from the net force and gravity. Take the force in
    an electric and a magnetic field, and the drag by Stokes's law, and sum the net force from
    interaction and drag."""
    i = wp.tid()
    charge = charges[i]
    velocity = velocities[i]
    position = positions[i]
    electric_field = paul_trap_field(position, static_voltage, phase)
    across = sheet_field * wp.tanh(position[1] / sheet_width)
    magnetic_field = wp.vec3(across, 0.0, guide_field)
    force = charge * (electric_field + wp.cross(velocity, magnetic_field))
    x = WAVE_NUMBER * position[0]
    y = WAVE_NUMBER * position[1]
    flow_velocity = wp.vec3(
        FLOW_SPEED * wp.sin(x) * wp.cos(y), -FLOW_SPEED * wp.cos(x) * wp.sin(y), 0.0
    )
    radius = radii[i]
    drag_force = 6.0 * (PI * VISCOSITY * radius) * (flow_velocity - velocity)
    net_force = force + drag_force
    mass = masses[i]
    acceleration = net_force / mass - wp.vec3(0.0, gravity, 0.0)
    accelerations[i] = acceleration


LAUNCH = {
    "compute_acceleration": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "charges": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "radii": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 0.3]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.5]}},
            "static_voltage": {"values": {"uniform": [0.2, 2.0]}},
            "phase": {"values": {"uniform": [0.0, 6.28]}},
            "guide_field": {"values": {"uniform": [0.2, 2.0]}},
            "sheet_width": {"values": {"uniform": [0.2, 0.8]}},
            "sheet_field": {"values": {"uniform": [0.2, 2.0]}},
            "gravity": {"values": {"uniform": [5.0, 10.0]}},
            "accelerations": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_acceleration": {"goal": "particles.net_acceleration", "ending": "per_element", "formulas": ["particles.net_acceleration", "particles.dragged_net_force", "particles.lorentz_force", "particles.paul_trap_field", "particles.shear_field", "particles.stokes_drag", "particles.taylor_green_flow"]},
}
