"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def restart_scan(
    x: wp.array2d(dtype=float),
    heads: wp.array2d(dtype=int),
    length: int,
    sums: wp.array2d(dtype=float),
):
    """Running sum of each row that begins anew at each head flag."""
    row = wp.tid()
    total = float(0)
    for j in range(length):
        if heads[row, j] != 0:
            total = float(0)
        total += x[row, j]
        sums[row, j] = total


LAUNCH = {
    "restart_scan": {
        "sizes": {"rows": "(n + 63) // 64 + 1", "length": "min(n + 2, 64)"},
        "difficulty": "medium",
        "dims": ["rows"],
        "parameters": {
            "x": {"role": "in", "shape": ["rows", "length"], "values": { "uniform": [-1.0, 1.0]}},
            "heads": {"role": "in", "shape": ["rows", "length"], "values": {"integers": [0, 2]}},
            "length": {"values": {"size": "length"}},
            "sums": {"role": "out", "shape": ["rows", "length"]},
        },
    },
}

MADE_OF = {
    "restart_scan": {"goal": "scan.segmented_sum", "ending": "written", "formulas": []},
}
