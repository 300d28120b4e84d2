"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


DIAGONAL = wp.constant(3.4)


@wp.kernel
def thomas_forward(
    lowers: wp.array2d(dtype=wp.float32),
    uppers: wp.array2d(dtype=wp.float32),
    right_sides: wp.array2d(dtype=wp.float32),
    length: int,
    reduced_sides: wp.array2d(dtype=wp.float32),
):
    """Eliminate the lower diagonal of a tridiagonal system along each column."""
    col = wp.tid()
    ratio = float(0.0)
    value = float(0.0)
    for j in range(length):
        below = lowers[j, col]
        pivot = DIAGONAL - below * ratio
        value = (right_sides[j, col] - below * value) / pivot
        ratio = uppers[j, col] / pivot
        reduced_sides[j, col] = value


LAUNCH = {
    "thomas_forward": {
        "sizes": {"cols": "(n + 31) // 32", "length": "64"},
        "difficulty": "easy",
        "dims": ["cols"],
        "parameters": {
            "lowers": {"role": "in", "shape": ["length", "cols"], "values": {"uniform": [-0.9, 0.9]}},
            "uppers": {"role": "in", "shape": ["length", "cols"], "values": {"uniform": [-0.9, 0.9]}},
            "right_sides": {"role": "in", "shape": ["length", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "length": {"values": {"size": "length"}},
            "reduced_sides": {"role": "out", "shape": ["length", "cols"]},
        },
    },
}

MADE_OF = {
    "thomas_forward": {"goal": "recurrences.thomas_forward", "formulas": []},
}
