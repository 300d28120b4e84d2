"""Kernels of the category transform, seed 0.

Rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches.
"""

import warp as wp


@wp.struct
class SpatialInertiaParams:
    """Settings that all threads share."""

    mass: float
    share: float
    damping: float


@wp.kernel
def spatial_inertia(
    twists: wp.array(dtype=wp.spatial_vector),
    principal_moments: wp.array(dtype=wp.vec3),
    joint_twists: wp.array(dtype=wp.spatial_vector),
    rates: wp.array(dtype=wp.spatial_vector),
    options: SpatialInertiaParams,
):
    """Rate of a joint's twist in a moving frame, with a share of the momentum. Component 1 of the
    output loses its sign. The result is added to options.damping times what is stored."""
    i = wp.tid()
    twist = twists[i]
    moments = principal_moments[i]
    momentum = wp.spatial_vector(
        wp.cw_mul(moments, wp.spatial_top(twist)),
        options.mass * wp.spatial_bottom(twist),
    )
    joint_twist = joint_twists[i]
    rate = wp.spatial_cross(twist, joint_twist) + options.share * momentum
    adjusted_rate = wp.spatial_vector(rate[0], wp.abs(rate[1]), rate[2], rate[3], rate[4], rate[5])
    rates[i] = options.damping * rates[i] + adjusted_rate


LAUNCH = {
    "spatial_inertia": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "twists": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "principal_moments": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "joint_twists": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "rates": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "options": {"values": {"members": {"mass": {"uniform": [0.5, 3.0]}, "share": {"uniform": [0.1, 0.9]}, "damping": {"uniform": [0.5, 0.98]}}}},
        },
    },
}
