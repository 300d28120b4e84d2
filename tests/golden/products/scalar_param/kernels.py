"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.func
def evaluate_new_velocity(velocity: wp.vec2, dt: float, drag: float, relative: wp.vec2):
    """The new velocity, from velocity, dt, drag and relative."""
    return velocity + dt * (drag * relative)


@wp.kernel
def uniform_field(
    velocities: wp.array3d(dtype=wp.vec2),
    new_velocities: wp.array3d(dtype=wp.vec2),
    flow: wp.vec2,
    drag: float,
    dt: float,
    height: int,
):
    """Velocity of each particle after one step in a uniform flow. Component 0 of the output is at
    least -0.6. The result is added to what is stored."""
    frame, pair = wp.tid()
    x = pair // height
    y = pair % height
    velocity = velocities[frame, y, x]
    relative = flow - velocity
    new_velocity = evaluate_new_velocity(velocity, dt, drag, relative)
    adjusted_new_velocity = wp.vec2(wp.max(new_velocity[0], -0.6), new_velocity[1])
    new_velocities[frame, y, x] = new_velocities[frame, y, x] + adjusted_new_velocity


LAUNCH = {
    "uniform_field": {
        "sizes": {"frames": "4", "height": "(n + 19) // 20", "width": "5"},
        "difficulty": "medium",
        "dims": ["frames", "height * width"],
        "parameters": {
            "velocities": {"role": "in", "shape": ["frames", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "new_velocities": {"role": "inout", "shape": ["frames", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "flow": {"values": {"uniform": [-2.0, 2.0]}},
            "drag": {"values": {"uniform": [0.1, 1.0]}},
            "dt": {"values": {"uniform": [0.02, 0.2]}},
            "height": {"values": {"size": "height"}},
        },
    },
}
