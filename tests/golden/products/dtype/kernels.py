"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, precise sums.
"""

import warp as wp


@wp.kernel
def dot_in_double(
    x: wp.array2d(dtype=float),
    y: wp.array2d(dtype=float),
    length: int,
    results: wp.array(dtype=wp.float64),
):
    """Compute the dot product of two columns of single-precision numbers in double precision. A
    thread handles one column."""
    column = wp.tid()
    total = wp.float64(0.0)
    for j in range(length):
        total += wp.float64(x[j, column]) * wp.float64(y[j, column])
    results[column] = total


LAUNCH = {
    "dot_in_double": {
        "sizes": {"columns": "(n + 31) // 32 + 1", "length": "128"},
        "difficulty": "easy",
        "dims": ["columns"],
        "parameters": {
            "x": {"role": "in", "shape": ["length", "columns"], "values": {"uniform": [-1.0, 2.0]}},
            "y": {"role": "in", "shape": ["length", "columns"], "values": {"uniform": [0.5, 1.5]}},
            "length": {"values": {"size": "length"}},
            "results": {"role": "out", "shape": ["columns"]},
        },
    },
}

MADE_OF = {
    "dot_in_double": {"goal": "dtype.compensated_sum", "ending": "written", "formulas": []},
}
