"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


@wp.kernel
def compute_entry(
    matrix_entries: wp.array2d(dtype=wp.float32),
    left: wp.array2d(dtype=wp.float32),
    right_rows: wp.array2d(dtype=wp.float32),
    row_means: wp.array(dtype=wp.float32),
    column_means: wp.array(dtype=wp.float32),
    num_inner: int,
    grand_mean: float,
    new_entries: wp.array2d(dtype=wp.float32),
):
    """Compute the new value of each entry as the old value less the update. The inner product is
    computed by double centering of squared distances."""
    i, j = wp.tid()
    matrix_entry = matrix_entries[i, j]
    squared_distance = float(0.0)
    for mid in range(num_inner):
        gap = left[i, mid] - right_rows[j, mid]
        squared_distance += gap * gap
    means = row_means[i] + column_means[j]
    update = -0.5 * (squared_distance - means + grand_mean)
    new_entry = matrix_entry - update
    new_entries[i, j] = new_entry


LAUNCH = {
    "compute_entry": {
        "sizes": {"rows": "(n + 63) // 64", "cols": "min(n // 2 + 8, 64)", "inner": "8"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "matrix_entries": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "left": {"role": "in", "shape": ["rows", "inner"], "values": {"uniform": [-1.0, 1.0]}},
            "right_rows": {"role": "in", "shape": ["cols", "inner"], "values": {"uniform": [-1.0, 1.0]}},
            "row_means": {"role": "in", "shape": ["rows"], "values": {"uniform": [-1.0, 1.0]}},
            "column_means": {"role": "in", "shape": ["cols"], "values": {"uniform": [-1.0, 1.0]}},
            "num_inner": {"values": {"size": "inner"}},
            "grand_mean": {"values": {"uniform": [0.1, 0.9]}},
            "new_entries": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
