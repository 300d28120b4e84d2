"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, arms, points that cameras see.
"""

import warp as wp


@wp.kernel
def integrate_bodies(
    wrenches: wp.array(dtype=wp.spatial_vector),
    inv_masses: wp.array(dtype=float),
    inertias: wp.array(dtype=wp.vec3),
    gravity: wp.vec3,
    damping: float,
    dt: float,
    body_q: wp.array(dtype=wp.transform),
    body_qd: wp.array(dtype=wp.spatial_vector),
):
    """Symplectic Euler step of rigid bodies with gyroscopic torque; wrenches and velocities are
    (angular, linear) in the world frame, inertias are principal moments."""
    b = wp.tid()
    x = wp.transform_get_translation(body_q[b])
    q = wp.normalize(wp.transform_get_rotation(body_q[b]))
    w = wp.spatial_top(body_qd[b])
    v = wp.spatial_bottom(body_qd[b])

    v += dt * (gravity + inv_masses[b] * wp.spatial_bottom(wrenches[b]))
    w_body = wp.quat_rotate_inv(q, w)
    torque = wp.quat_rotate_inv(q, wp.spatial_top(wrenches[b]))
    torque -= wp.cross(w_body, wp.cw_mul(inertias[b], w_body))
    w = wp.quat_rotate(q, w_body + dt * wp.cw_div(torque, inertias[b]))
    w *= 1.0 - damping * dt
    x += dt * v
    q = wp.normalize(q + 0.5 * dt * (wp.quat(w, 0.0) * q))
    body_q[b] = wp.transform(x, q)
    body_qd[b] = wp.spatial_vector(w, v)


LAUNCH = {
    "integrate_bodies": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "wrenches": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "inv_masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "inertias": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 1.5]}},
            "gravity": {"values": {"uniform": [-9.81, -9.0]}},
            "damping": {"values": {"uniform": [0.05, 0.3]}},
            "dt": {"values": {"uniform": [0.01, 0.05]}},
            "body_q": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "body_qd": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}

MADE_OF = {
    "integrate_bodies": {"goal": "transform.rigid_body_step", "ending": "written", "formulas": []},
}
