"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


SQRT_3_FLOAT64 = wp.constant(wp.float64(1.7320508075688772))


@wp.kernel
def matern_entry(
    left: wp.array2d(dtype=wp.float64),
    right_rows: wp.array2d(dtype=wp.float64),
    gram_entries: wp.array2d(dtype=wp.float64),
    num_inner: int,
):
    """Compute the kernel value of each entry by Matérn's covariance of the distance. The squared
    distance is computed between rows of both matrices."""
    y, x = wp.tid()
    squared_distance = wp.float64(0.0)
    for mid in range(num_inner):
        gap = left[y, mid] - right_rows[x, mid]
        squared_distance += gap * gap
    reach = SQRT_3_FLOAT64 * wp.sqrt(squared_distance) / wp.float64(2.5)
    gram_entry = (wp.float64(1.0) + reach) * wp.exp(-reach)
    gram_entries[y, x] = gram_entry


LAUNCH = {
    "matern_entry": {
        "sizes": {"height": "(n + 95) // 96", "width": "min(n // 2 + 9, 96)", "inner": "24"},
        "difficulty": "medium",
        "dims": ["height", "width"],
        "parameters": {
            "left": {"role": "in", "shape": ["height", "inner"], "values": {"uniform": [-1.0, 1.0]}},
            "right_rows": {"role": "in", "shape": ["width", "inner"], "values": {"uniform": [-1.0, 1.0]}},
            "gram_entries": {"role": "out", "shape": ["height", "width"]},
            "num_inner": {"values": {"size": "inner"}},
        },
    },
}
