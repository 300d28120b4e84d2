"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def uniform_field(
    sorted_indices: wp.array(dtype=wp.int32),
    velocities: wp.array(dtype=wp.vec2),
    references: wp.array(dtype=wp.vec2),
    wind: wp.vec2,
    drag: float,
    dt: float,
    new_velocities: wp.array(dtype=wp.vec2),
    squared_magnitudes: wp.array(dtype=wp.float32),
):
    """Velocity of each particle after one step in a uniform flow. Thread tid stores its result at
    sorted_indices[tid]. The new velocity is subtracted from the reference. The squared magnitude of
    the result is stored as well."""
    tid = wp.tid()
    i = sorted_indices[tid]
    velocity = velocities[tid]
    relative = wind - velocity
    reference = references[tid]
    new_velocity = reference - (velocity + dt * (drag * wp.length(relative) * relative))
    new_velocities[i] = new_velocity
    squared_magnitudes[i] = wp.length_sq(new_velocity)


LAUNCH = {
    "uniform_field": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "sorted_indices": {"role": "in", "shape": ["n"], "values": {"permutation": "n"}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "references": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "wind": {"values": {"uniform": [-2.0, 2.0]}},
            "drag": {"values": {"uniform": [0.1, 1.0]}},
            "dt": {"values": {"uniform": [0.02, 0.2]}},
            "new_velocities": {"role": "out", "shape": ["n"]},
            "squared_magnitudes": {"role": "out", "shape": ["n"]},
        },
    },
}
