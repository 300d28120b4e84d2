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
    """Settings that all threads share."""

    dt: float
    bounce: float
    factor: float


@wp.kernel
def bouncing_ball(
    particles: wp.array(dtype=Particle),
    params: BouncingBallParams,
    new_velocities: wp.array(dtype=wp.vec2),
    new_positions: wp.array(dtype=wp.vec2),
):
    """2 steps of each particle in a box with bouncing walls. The new position is multiplied by
    params.factor."""
    i = wp.tid()
    particle = particles[i]
    position = particle.position
    velocity = particle.velocity
    limit = 0.95 - particle.radius
    for substep in range(2):
        position += params.dt * velocity
        for axis in range(2):
            if wp.abs(position[axis]) > limit:
                position[axis] = wp.sign(position[axis]) * limit
                velocity[axis] = -params.bounce * velocity[axis]
    new_velocities[i] = velocity
    new_positions[i] = params.factor * position


LAUNCH = {
    "bouncing_ball": {
        "dims": ["n"],
        "parameters": {
            "particles": {"role": "in", "shape": ["n"], "values": {"members": {"position": {"uniform": [-0.9, 0.9]}, "velocity": {"uniform": [-3.0, 3.0]}, "radius": {"uniform": [0.02, 0.1]}}}},
            "params": {"values": {"members": {"dt": {"uniform": [0.02, 0.15]}, "bounce": {"uniform": [0.4, 0.9]}, "factor": {"uniform": [0.1, 3.0]}}}},
            "new_velocities": {"role": "out", "shape": ["n"]},
            "new_positions": {"role": "out", "shape": ["n"]},
        },
    },
}
