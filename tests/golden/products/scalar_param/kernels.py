"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def uniform_field(
    velocities: wp.array2d(dtype=wp.vec2d),
    ny: int,
    nx: int,
    flow: wp.vec2d,
    drag: wp.float64,
    dt: wp.float64,
    retention: wp.float64,
    new_velocities: wp.array2d(dtype=wp.vec2d),
):
    """Velocity of each particle after one step in a uniform flow. The new velocity is added to
    retention times what is stored."""
    j, i = wp.tid()
    if j >= ny or i >= nx:
        return
    velocity = velocities[j, i]
    relative = flow - velocity
    new_velocities[j, i] = (
        retention * new_velocities[j, i]
        + (velocity + dt * (drag * wp.dot(relative, flow) * flow))
    )


LAUNCH = {
    "uniform_field": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "dims": ["ny + 1", "nx + 3"],
        "parameters": {
            "velocities": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "ny": {"values": {"size": "ny"}},
            "nx": {"values": {"size": "nx"}},
            "flow": {"values": {"uniform": [-2.0, 2.0]}},
            "drag": {"values": {"uniform": [0.1, 1.0]}},
            "dt": {"values": {"uniform": [0.02, 0.2]}},
            "retention": {"values": {"uniform": [0.5, 0.98]}},
            "new_velocities": {"role": "inout", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
