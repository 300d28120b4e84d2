"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def morphology(
    brightness: wp.array(dtype=wp.float32),
    importances: wp.array(dtype=wp.float32),
    count: int,
    weight: float,
    shaped_values: wp.array(dtype=wp.float32),
    shaped_levels: wp.array(dtype=wp.int32),
):
    """Dilation: the largest value around. The grid is periodic. The shaped value is multiplied by
    its importance. The level of the result in steps of 1/32, rounded up, is stored as well."""
    i = wp.tid()
    here = brightness[i]
    left = brightness[(i - 1 + count) % count]
    right = brightness[(i + 1) % count]
    top = wp.max(wp.max(here, left), right)
    importance = importances[i]
    shaped = importance * (top * weight)
    shaped_values[i] = shaped
    shaped_levels[i] = int(wp.ceil(shaped * 32.0))


LAUNCH = {
    "morphology": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "brightness": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "importances": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "count": {"values": {"size": "n"}},
            "weight": {"values": {"uniform": [0.5, 2.0]}},
            "shaped_values": {"role": "out", "shape": ["n"]},
            "shaped_levels": {"role": "out", "shape": ["n"]},
        },
    },
}
