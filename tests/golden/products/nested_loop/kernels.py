"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def trmm(
    a: wp.array2d(dtype=float),
    b: wp.array2d(dtype=float),
    depth: int,
    c: wp.array2d(dtype=float),
):
    """Multiply a lower triangular matrix by a full one."""
    i, j = wp.tid()
    total = float(0.0)
    for k in range(wp.min(i + 1, depth)):
        total += a[i, k] * b[k, j]
    c[i, j] = total


LAUNCH = {
    "trmm": {
        "sizes": {"rows": "min((n + 31) // 32 + 2, 200)", "depth": "31"},
        "difficulty": "medium",
        "dims": ["rows", "24"],
        "parameters": {
            "a": {"role": "in", "shape": ["rows", "depth"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["depth", "24"], "values": {"uniform": [-1.0, 1.0]}},
            "depth": {"values": {"size": "depth"}},
            "c": {"role": "out", "shape": ["rows", "24"]},
        },
    },
}

MADE_OF = {
    "trmm": {"goal": "nested_loop.matmul", "ending": "written", "formulas": []},
}
