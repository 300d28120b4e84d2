"""Kernels of the category image, seed 0.

Images: colour spaces, filters, compositing, resampling, edges, masks, motion and depth.
"""

import warp as wp


@wp.kernel
def compute_squared_color_error(
    display_colors: wp.array2d(dtype=wp.vec3),
    reference_colors: wp.array2d(dtype=wp.vec3),
    group_ids: wp.array2d(dtype=wp.int32),
    group_squared_errors: wp.array(dtype=wp.float32),
):
    """Total squared color error against a reference of each group."""
    y, x = wp.tid()
    display_color = display_colors[y, x]
    reference_color = reference_colors[y, x]
    error = display_color - reference_color
    squared_error = wp.dot(error, error)
    group = group_ids[y, x]
    wp.atomic_add(group_squared_errors, group, squared_error)


LAUNCH = {
    "compute_squared_color_error": {
        "sizes": {"height": "min(n // 30 + 2, n // 300 + 29)", "width": "min(n // 32 + 11, 255)", "groups": "16"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["height", "width"],
        "parameters": {
            "display_colors": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "reference_colors": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "group_ids": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, "groups"]}},
            "group_squared_errors": {"role": "inout", "shape": ["groups"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "compute_squared_color_error": {"goal": "colors.color_error", "ending": "totals_of_groups", "formulas": ["colors.color_error"]},
}
