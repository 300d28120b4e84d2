"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts, filters.
"""

import warp as wp


@wp.kernel
def apply_contact_impulse(
    rotation_vectors: wp.array(dtype=wp.vec3),
    local_spins: wp.array(dtype=wp.vec3),
    arms: wp.array(dtype=wp.vec3),
    contact_normals: wp.array(dtype=wp.vec3),
    normal_impulses: wp.array(dtype=wp.float32),
    inertias: wp.array(dtype=wp.vec3),
    new_angular_velocities: wp.array(dtype=wp.vec3),
):
    """Apply a contact impulse to the angular velocity."""
    b = wp.tid()
    rotation_vector = rotation_vectors[b]
    angle = wp.max(wp.length(rotation_vector), 1.0e-6)
    orientation = wp.quat_from_axis_angle(rotation_vector / angle, angle)
    angular_velocity = wp.quat_rotate(orientation, local_spins[b])
    arm = arms[b]
    contact_normal = wp.normalize(contact_normals[b])
    normal_impulse = normal_impulses[b]
    kick = wp.quat_rotate_inv(orientation, normal_impulse * wp.cross(arm, contact_normal))
    new_angular_velocities[b] = (
        angular_velocity + wp.quat_rotate(orientation, wp.cw_div(kick, inertias[b]))
    )


LAUNCH = {
    "apply_contact_impulse": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "rotation_vectors": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "local_spins": {"role": "in", "shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "arms": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "contact_normals": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "normal_impulses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 3.0]}},
            "inertias": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 1.5]}},
            "new_angular_velocities": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "apply_contact_impulse": {"goal": "bodies.impulse_spin", "ending": "per_element", "formulas": ["bodies.impulse_spin", "bodies.world_spin", "bodies.orientation_of_vector"]},
}
