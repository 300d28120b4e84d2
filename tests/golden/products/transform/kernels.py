"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, twists, wrenches, points that cameras see.
"""

import warp as wp


@wp.func
def summed_twist(parent_twist: wp.spatial_vector, own_twist: wp.spatial_vector):
    """Link twist as the sum of the twists of parent and joint."""
    return parent_twist + own_twist


@wp.kernel
def bias_acceleration(
    parent_twists: wp.array(dtype=wp.spatial_vector),
    parent_bodies: wp.array(dtype=wp.int32),
    body_poses: wp.array(dtype=wp.transform),
    axes: wp.array(dtype=wp.vec3),
    hinge_rates: wp.array(dtype=wp.float32),
    bias_accelerations: wp.array(dtype=wp.spatial_vector),
):
    """Compute the bias acceleration of each joint as the cross product of two twists."""
    j = wp.tid()
    parent_twist = parent_twists[j]
    raw_pose = body_poses[parent_bodies[j]]
    parent_pose = wp.transform(
        wp.transform_get_translation(raw_pose), wp.normalize(wp.transform_get_rotation(raw_pose))
    )
    axis = wp.normalize(axes[j])
    hinge_rate = hinge_rates[j]
    spin = hinge_rate * wp.transform_vector(parent_pose, axis)
    own_twist = wp.spatial_vector(spin, wp.cross(wp.transform_get_translation(parent_pose), spin))
    link_twist = summed_twist(parent_twist, own_twist)
    bias_acceleration = wp.spatial_cross(link_twist, own_twist)
    bias_accelerations[j] = bias_acceleration


LAUNCH = {
    "bias_acceleration": {
        "sizes": {"body_count": "n"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "parent_twists": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "parent_bodies": {"role": "in", "shape": ["n"], "values": {"integers": [0, "body_count"]}},
            "body_poses": {"role": "in", "shape": ["body_count"], "values": {"uniform": [-1.0, 1.0]}},
            "axes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "hinge_rates": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "bias_accelerations": {"role": "out", "shape": ["n"]},
        },
    },
}
