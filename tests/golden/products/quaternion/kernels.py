"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts, filters.
"""

import warp as wp


@wp.kernel
def compute_geodesic_deviation(
    relative_orientations: wp.array(dtype=wp.quat),
    angular_deviations: wp.array(dtype=wp.float32),
):
    """Compute the angular deviation of each body as the angle of the relative orientation."""
    b = wp.tid()
    relative_orientation = wp.normalize(relative_orientations[b])
    half_sine = wp.length(
        wp.vec3(relative_orientation[0], relative_orientation[1], relative_orientation[2])
    )
    angular_deviation = 2.0 * wp.atan2(half_sine, wp.abs(relative_orientation[3]))
    angular_deviations[b] = angular_deviation


LAUNCH = {
    "compute_geodesic_deviation": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "relative_orientations": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "angular_deviations": {"role": "out", "shape": ["n"]},
        },
    },
}
