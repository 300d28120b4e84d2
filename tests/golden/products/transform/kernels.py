"""Kernels of the category transform, seed 0.

Rigid transforms: poses in chains and between bodies, skins, points that cameras see.
"""

import warp as wp


@wp.kernel
def unproject_depth(
    depth: wp.array2d(dtype=float),
    camera: wp.transform,
    focal: wp.vec2,
    center: wp.vec2,
    points: wp.array2d(dtype=wp.vec3),
):
    """Back-project an image of depths along the optical axis to points in the world, where camera
    takes camera to world coordinates. focal and center are (x, y) in pixels, and pixels have their
    centers at half-integers."""
    row, col = wp.tid()
    z = depth[row, col]
    x = (float(col) + 0.5 - center[0]) / focal[0]
    y = (float(row) + 0.5 - center[1]) / focal[1]
    points[row, col] = wp.transform_point(camera, wp.vec3(x * z, y * z, z))


LAUNCH = {
    "unproject_depth": {
        "sizes": {"height": "(n + 63) // 64 + 3", "width": "80"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "depth": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.5, 5.0]}},
            "camera": {"values": {"unit": [0.45, 0.55]}},
            "focal": {"values": {"uniform": [80.0, 100.0]}},
            "center": {"values": {"uniform": [30.0, 50.0]}},
            "points": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "unproject_depth": {"goal": "transform.camera_projection", "ending": "written", "formulas": []},
}
