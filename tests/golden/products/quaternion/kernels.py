"""Kernels of the category quaternion, seed 0.

Rotations by quaternions: composition, interpolation, integration, axes and angles, matrices.
"""

import warp as wp


GAIN = wp.constant(0.5)


@wp.kernel
def integrate_spin(
    orientation_of: wp.array(dtype=wp.quat),
    angular_velocities: wp.array(dtype=wp.vec3),
    dt: float,
    stride: int,
    n: int,
    tilts: wp.array(dtype=wp.float32),
    tilt_levels: wp.array(dtype=wp.int32),
):
    """Integrates an angular velocity in the world's frame by the midpoint rule in 3 steps; the
    output is the cosine of its tilt. The tilt is multiplied by 0.5. The result goes through an
    exponential. The level of the result in steps of 1/4, rounded, is stored as well."""
    tid = wp.tid()
    for i in range(tid, n, stride):
        orientation = wp.normalize(orientation_of[i])
        angular_velocity = angular_velocities[i]
        now = orientation
        rate = angular_velocity
        for step in range(3):
            pure = wp.quat(rate[0], rate[1], rate[2], 0.0)
            half_way = wp.normalize(now + 0.25 * dt * (pure * now))
            now = wp.normalize(now + 0.5 * dt * (pure * half_way))
        tilt = GAIN * (1.0 - 2.0 * (now[0] * now[0] + now[1] * now[1]))
        final_tilt = wp.exp(tilt) - 1.0
        tilts[i] = final_tilt
        tilt_levels[i] = int(wp.ceil(final_tilt * 4.0 - 0.5))


LAUNCH = {
    "integrate_spin": {
        "sizes": {"threads": "min(n, 512)"},
        "difficulty": "expert",
        "dims": ["threads"],
        "parameters": {
            "orientation_of": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "angular_velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "dt": {"values": {"uniform": [0.01, 0.1]}},
            "stride": {"values": {"size": "threads"}},
            "n": {"values": {"size": "n"}},
            "tilts": {"role": "out", "shape": ["n"]},
            "tilt_levels": {"role": "out", "shape": ["n"]},
        },
    },
}
