"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.kernel
def bounce_at_walls(
    positions: wp.array2d(dtype=wp.vec3),
    velocities: wp.array2d(dtype=wp.vec3),
    new_velocities: wp.array2d(dtype=wp.vec3),
    new_positions: wp.array2d(dtype=wp.vec3),
):
    """Keeps particles inside a ball and reflects their velocities."""
    j, i = wp.tid()
    velocity = velocities[j, i]
    position = positions[j, i]
    distance = wp.max(wp.length(position), 0.1)
    normal = position / distance
    outward = wp.dot(normal, velocity)
    new_x = position
    new_v = velocity
    if distance > 0.8:
        new_x = position - (distance - 0.8) * normal
        new_v = velocity - 1.3 * wp.max(outward, 0.0) * normal
    new_velocities[j, i] = new_v
    new_positions[j, i] = new_x


LAUNCH = {
    "bounce_at_walls": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "difficulty": "medium",
        "dims": ["ny", "nx"],
        "parameters": {
            "positions": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.5, 1.5]}},
            "velocities": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-2.0, 2.0]}},
            "new_velocities": {"role": "out", "shape": ["ny", "nx"]},
            "new_positions": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}
