"""Kernels of the category linear_algebra, seed 0.

Linear algebra written out: matrix products, rank-one updates, sparse rows, small factorisations.
"""

import warp as wp


@wp.kernel
def sparse_row(
    columns: wp.array2d(dtype=wp.int32),
    values: wp.array2d(dtype=wp.float32),
    x: wp.array(dtype=wp.float32),
    targets: wp.array(dtype=wp.float32),
    slots: int,
    ys: wp.array(dtype=wp.float32),
):
    """Sum of the magnitudes that large entries of a sparse row meet. A negative column marks an
    empty slot. The squared difference between the y and the target is taken."""
    row = wp.tid()
    total = float(0.0)
    for s in range(slots):
        column = columns[row, s]
        if column >= 0 and wp.abs(values[row, s]) > 0.42:
            total += wp.abs(x[column])
    residual = targets[row] - total
    ys[row] = residual * residual


LAUNCH = {
    "sparse_row": {
        "sizes": {"slots": "6"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "columns": {"role": "in", "shape": ["n", "slots"], "values": {"integers": [-1, "n"]}},
            "values": {"role": "in", "shape": ["n", "slots"], "values": {"uniform": [-1.0, 1.0]}},
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "targets": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "slots": {"values": {"size": "slots"}},
            "ys": {"role": "out", "shape": ["n"]},
        },
    },
}
