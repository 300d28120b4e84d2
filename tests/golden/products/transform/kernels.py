"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, points that cameras see.
"""

import warp as wp


@wp.func
def distort(p: wp.vec2, k1: float, k2: float):
    """Apply radial distortion to normalized image coordinates."""
    r2 = wp.length_sq(p)
    return (1.0 + r2 * (k1 + r2 * k2)) * p


@wp.kernel
def pinhole_project(
    points: wp.array(dtype=wp.vec3),
    cam_pose: wp.transform,
    focal: wp.vec2,
    center: wp.vec2,
    k1: float,
    k2: float,
    pixels: wp.array(dtype=wp.vec2),
):
    """Project world points to pixels with a pinhole camera and radial distortion, where cam_pose
    takes world to camera coordinates."""
    i = wp.tid()
    q = wp.normalize(wp.transform_get_rotation(cam_pose))
    p = wp.quat_rotate(q, points[i]) + wp.transform_get_translation(cam_pose)
    uv = distort(wp.vec2(p[0], p[1]) / p[2], k1, k2)
    pixels[i] = wp.cw_mul(focal, uv) + center


LAUNCH = {
    "pinhole_project": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "cam_pose": {"values": {"uniform": [3.0, 4.0]}},
            "focal": {"values": {"uniform": [400.0, 600.0]}},
            "center": {"values": {"uniform": [240.0, 320.0]}},
            "k1": {"values": {"uniform": [-0.1, 0.1]}},
            "k2": {"values": {"uniform": [-0.02, 0.02]}},
            "pixels": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "pinhole_project": {"goal": "transform.camera_projection", "ending": "written", "formulas": []},
}
