"""Kernels of the category combined, seed 0.

Loops, branches, vectors, structs, helper functions and indirect reads in one kernel.
"""

import warp as wp


@wp.struct
class Particle:
    """State of one particle."""

    position: wp.vec2
    velocity: wp.vec2
    radius: float


@wp.struct
class BouncingBallParams:
    """Settings of bouncing_ball."""

    dt: float
    bounce: float
    time_step: float


@wp.kernel
def bouncing_ball(
    particles: wp.array(dtype=Particle),
    params: BouncingBallParams,
    new_velocities: wp.array(dtype=wp.vec2),
    new_positions: wp.array(dtype=wp.vec2),
):
    """2 steps of each particle in a box with bouncing walls; scaled."""
    i = wp.tid()
    particle = particles[i]
    position = particle.position
    velocity = particle.velocity
    limit = 0.95 - particle.radius
    for substep in range(2):
        position += params.dt * velocity
        for axis in range(2):
            if wp.abs(position[axis]) > limit:
                position[axis] = wp.clamp(position[axis], -1.0, 1.0) * limit
                velocity[axis] = -params.bounce * velocity[axis]
    new_velocities[i] = velocity
    new_positions[i] = params.time_step * position


LAUNCH = {
    "bouncing_ball": {
        "dims": ["n"],
        "parameters": {
            "particles": {"role": "in", "shape": ["n"], "values": {"members": {"position": {"uniform": [-0.9, 0.9]}, "velocity": {"uniform": [-3.0, 3.0]}, "radius": {"uniform": [0.02, 0.1]}}}},
            "params": {"values": {"members": {"dt": {"uniform": [0.02, 0.15]}, "bounce": {"uniform": [0.4, 0.9]}, "time_step": {"uniform": [0.1, 3.0]}}}},
            "new_velocities": {"role": "out", "shape": ["n"]},
            "new_positions": {"role": "out", "shape": ["n"]},
        },
    },
}
