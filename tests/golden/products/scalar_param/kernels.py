"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def steer_to_target(
    poses: wp.array(dtype=wp.vec3),
    targets: wp.array(dtype=wp.vec2),
    wheelbase: float,
    max_steering: float,
    steering: wp.array(dtype=float),
):
    """Compute the steering angle in radians by which each vehicle, at its pose (x, y, heading),
    drives along an arc to its target point (pure pursuit), clamped to max_steering in magnitude. A
    target must not coincide with the position."""
    i = wp.tid()
    pose = poses[i]
    dx = targets[i][0] - pose[0]
    dy = targets[i][1] - pose[1]
    heading = pose[2]
    sideways = wp.cos(heading) * dy - wp.sin(heading) * dx
    angle = wp.atan(2.0 * wheelbase * sideways / (dx * dx + dy * dy))
    steering[i] = wp.clamp(angle, -max_steering, max_steering)


LAUNCH = {
    "steer_to_target": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "poses": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "targets": {"role": "in", "shape": ["n"], "values": {"uniform": [1.5, 4.0]}},
            "wheelbase": {"values": {"uniform": [2.4, 2.9]}},
            "max_steering": {"values": {"uniform": [0.5, 0.7]}},
            "steering": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "steer_to_target": {"goal": "scalar_param.vehicle_model", "ending": "written", "formulas": []},
}
