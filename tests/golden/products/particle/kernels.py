"""Kernels of the category particle, seed 0.

Particles: smoothed hydrodynamics, pair forces, time steps, walls, cells, flocks, fields.
"""

import warp as wp


@wp.kernel
def particle_sound_speed(
    positions: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=wp.float32),
    neighbors: wp.array2d(dtype=wp.int32),
    velocities: wp.array(dtype=wp.vec3),
    max_neighbors: int,
    stiffness: float,
    rest_density: float,
    gamma: float,
    center: wp.vec3,
    swirl: float,
    sound_speeds: wp.array(dtype=wp.float32),
    angular_momenta: wp.array(dtype=wp.float32),
    smoothed_velocities: wp.array(dtype=wp.vec3),
):
    """Compute the speed of sound of each particle as that of an ideal gas. The pressure is computed
    by Tait's equation of state. The angular momentum is computed as well, about the third axis. The
    velocity is blended as well, with that of a vortex."""
    p = wp.tid()
    position = positions[p]
    density = masses[p] * 1.473657
    for slot in range(max_neighbors):
        j = neighbors[p, slot]
        if j < 0:
            break
        distance = wp.length(position - positions[j])
        q = wp.min(distance / 1.2, 1.0)
        gap = 1.0 - q
        density += (
            masses[j]
            * (1.473657 * wp.where(q < 0.5, 6.0 * (q - 1.0) * q * q + 1.0, 2.0 * gap * gap * gap))
        )
    compression = density / rest_density
    cube = compression * compression * compression
    pressure = wp.max(stiffness * (cube * cube * compression - 1.0), 0.0)
    sound_speed = wp.sqrt(wp.max(gamma * pressure / density, 1.0e-6))
    sound_speeds[p] = sound_speed
    mass = masses[p]
    velocity = velocities[p]
    momentum = mass * velocity
    angular_momentum = position[0] * momentum[1] - position[1] * momentum[0]
    angular_momenta[p] = angular_momentum
    arm = position - center
    smoothed_velocity = velocity + 0.55 * (swirl * wp.vec3(-arm[1], arm[0], 0.0) - velocity)
    smoothed_velocities[p] = smoothed_velocity


LAUNCH = {
    "particle_sound_speed": {
        "sizes": {"max_neighbors": "16"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.05, 0.15]}},
            "neighbors": {"role": "in", "shape": ["n", "max_neighbors"], "values": {"integers": [-1, "n"]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "max_neighbors": {"values": {"size": "max_neighbors"}},
            "stiffness": {"values": {"uniform": [0.5, 3.0]}},
            "rest_density": {"values": {"uniform": [0.8, 1.2]}},
            "gamma": {"values": {"uniform": [1.2, 1.67]}},
            "center": {"values": {"uniform": [-0.5, 0.5]}},
            "swirl": {"values": {"uniform": [0.5, 2.0]}},
            "sound_speeds": {"role": "out", "shape": ["n"]},
            "angular_momenta": {"role": "out", "shape": ["n"]},
            "smoothed_velocities": {"role": "out", "shape": ["n"]},
        },
    },
}
