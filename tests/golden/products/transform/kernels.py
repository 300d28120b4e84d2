"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, twists, wrenches, points that cameras see.
"""

import warp as wp


@wp.kernel
def momentum_wrench(
    parent_twists: wp.array(dtype=wp.spatial_vector),
    own_twists: wp.array(dtype=wp.spatial_vector),
    spatial_inertias: wp.array(dtype=wp.spatial_matrix),
    wrenches: wp.array(dtype=wp.spatial_vector),
    torques: wp.array(dtype=wp.float32),
):
    """Computes the wrench of each joint from the momentum of the moving link. Also stores the
    torque as the projection of a wrench."""
    joint = wp.tid()
    spatial_inertia = spatial_inertias[joint]
    parent_twist = parent_twists[joint]
    own_twist = own_twists[joint]
    link_twist = parent_twist + own_twist
    momentum = spatial_inertia @ link_twist
    wrench = wp.spatial_cross_dual(link_twist, momentum)
    wrenches[joint] = wrench
    torque = wp.spatial_dot(wrench, own_twist)
    torques[joint] = torque


LAUNCH = {
    "momentum_wrench": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "parent_twists": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "own_twists": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "spatial_inertias": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "wrenches": {"role": "out", "shape": ["n"]},
            "torques": {"role": "out", "shape": ["n"]},
        },
    },
}
