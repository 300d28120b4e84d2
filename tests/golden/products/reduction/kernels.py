"""Kernels of the category reduction, seed 0.

Reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments.
"""

import warp as wp


@wp.kernel
def row_mean_and_variance(
    x: wp.array2d(dtype=float),
    count: int,
    means: wp.array(dtype=float),
    variance: wp.array(dtype=float),
):
    """Mean and variance of each row in one pass, by Welford's update."""
    row = wp.tid()
    mean = float(0.0)
    m2 = float(0.0)
    for j in range(count):
        delta = x[row, j] - mean
        mean += delta / float(j + 1)
        m2 += delta * (x[row, j] - mean)
    means[row] = mean
    variance[row] = m2 / float(count)


LAUNCH = {
    "row_mean_and_variance": {
        "sizes": {"rows": "(n + 127) // 128 + 1", "cols": "min(n + 1, 128)"},
        "difficulty": "easy",
        "dims": ["rows"],
        "parameters": {
            "x": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 4.0]}},
            "count": {"values": {"size": "cols"}},
            "means": {"role": "out", "shape": ["rows"]},
            "variance": {"role": "out", "shape": ["rows"]},
        },
    },
}

MADE_OF = {
    "row_mean_and_variance": {"goal": "reduction.mean_and_variance", "ending": "written", "formulas": []},
}
