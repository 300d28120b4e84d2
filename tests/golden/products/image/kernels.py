"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, edges, masks, motion and depth.
"""

import warp as wp


@wp.kernel
def color_error_kernel(
    display_colors: wp.array2d(dtype=wp.vec3),
    reference_colors: wp.array2d(dtype=wp.vec3),
    cluster_of: wp.array2d(dtype=wp.int32),
    cluster_squared_errors: wp.array(dtype=wp.float32),
):
    """Sum the squared error of all pixels of each cluster against the reference."""
    y, x = wp.tid()
    display_color = display_colors[y, x]
    reference_color = reference_colors[y, x]
    error = display_color - reference_color
    squared_error = wp.dot(error, error)
    cluster = cluster_of[y, x]
    wp.atomic_add(cluster_squared_errors, cluster, squared_error)


LAUNCH = {
    "color_error_kernel": {
        "sizes": {"height": "(n + 95) // 96", "width": "min(n // 2 + 9, 96)", "clusters": "16"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["height", "width"],
        "parameters": {
            "display_colors": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "reference_colors": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "cluster_of": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, "clusters"]}},
            "cluster_squared_errors": {"role": "inout", "shape": ["clusters"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "color_error_kernel": {"goal": "colors.color_error", "ending": "totals_of_groups", "formulas": ["colors.color_error"]},
}
