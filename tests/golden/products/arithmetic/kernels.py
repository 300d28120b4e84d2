"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def maximum_norm_kernel(features: wp.array2d(dtype=wp.float32), norms: wp.array(dtype=wp.float32)):
    """Find the largest magnitude of each row."""
    row = wp.tid()
    norm = wp.abs(features[row, 0])
    for j in range(1, 12):
        norm = wp.max(norm, wp.abs(features[row, j]))
    norms[row] = norm


LAUNCH = {
    "maximum_norm_kernel": {
        "sizes": {"features": "12"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "features": {"role": "in", "shape": ["n", "features"], "values": {"uniform": [-2.0, 2.0]}},
            "norms": {"role": "out", "shape": ["n"]},
        },
    },
}
