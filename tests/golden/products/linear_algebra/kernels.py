"""Kernels of the category linear_algebra, seed 0.

Linear algebra written out: matrix products, rank-one updates, sparse rows, small factorisations.
"""

import warp as wp


@wp.kernel
def matrix_product(
    mask: wp.array2d(dtype=wp.int32),
    a: wp.array2d(dtype=wp.float32),
    b: wp.array2d(dtype=wp.float32),
    b_values: wp.array2d(dtype=wp.float32),
    inner: int,
    cs: wp.array2d(dtype=wp.float32),
):
    """The residual b - distances between rows of A and columns of B. Elements outside the mask are
    skipped. The output is transposed."""
    i, j = wp.tid()
    if mask[i, j] == 0:
        return
    total = float(0.0)
    for t in range(inner):
        gap = a[i, t] - b[t, j]
        total += wp.abs(gap)
    b_value = b_values[i, j]
    c = b_value - total
    cs[j, i] = c


LAUNCH = {
    "matrix_product": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16", "inner": "8"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "mask": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "a": {"role": "in", "shape": ["rows", "inner"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["inner", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "b_values": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "inner": {"values": {"size": "inner"}},
            "cs": {"role": "out", "shape": ["cols", "rows"]},
        },
    },
}
