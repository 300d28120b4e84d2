"""Kernels of the category histogram, seed 0.

Histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts.
"""

import warp as wp


@wp.kernel
def private_rows(
    heights: wp.array2d(dtype=wp.float32),
    counts: wp.array(dtype=wp.int32),
    other_length: int,
    stride: int,
    row_counts: wp.array2d(dtype=wp.int32),
):
    """Counts of the heights of each row by 4 linear bins. Rows have lengths of their own."""
    row = wp.tid()
    while row < other_length:
        length = counts[row]
        for b in range(4):
            row_counts[row, b] = 0
        for j in range(length):
            entry = heights[row, j]
            bin_index = wp.min(wp.max(int((entry + 1.0) * 0.5 * 4.0), 0), 3)
            row_counts[row, bin_index] += 1
        row += stride


LAUNCH = {
    "private_rows": {
        "sizes": {"threads": "(n + 7) // 8"},
        "difficulty": "hard",
        "dims": ["threads"],
        "parameters": {
            "heights": {"role": "in", "shape": ["n", "6"], "values": {"uniform": [-1.0, 1.0]}},
            "counts": {"role": "in", "shape": ["n"], "values": {"integers": [2, 7]}},
            "other_length": {"values": {"size": "n"}},
            "stride": {"values": {"size": "threads"}},
            "row_counts": {"role": "inout", "shape": ["n", "4"], "values": {"constant": 0}},
        },
    },
}
