"""Kernels of the category scan, seed 0.

Scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def prefix_row(
    heights: wp.array(dtype=wp.float64),
    total_threads: int,
    length: int,
    prefixes: wp.array(dtype=wp.float64),
    row_totals: wp.array(dtype=wp.float64),
):
    """Exclusive prefix damped sums of the squares of the heights along each row. What all elements
    give together is stored apart."""
    tid = wp.tid()
    for row in range(tid, length, total_threads):
        acc = wp.float64(0.0)
        for t in range(8):
            x = heights[row * 8 + t]
            prefixes[row * 8 + t] = acc
            acc = wp.float64(0.7) * acc + x * x
        row_totals[row] = acc


LAUNCH = {
    "prefix_row": {
        "sizes": {"threads": "min(n, 512)"},
        "difficulty": "medium",
        "dims": ["threads"],
        "parameters": {
            "heights": {"role": "in", "shape": ["8 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "total_threads": {"values": {"size": "threads"}},
            "length": {"values": {"size": "n"}},
            "prefixes": {"role": "out", "shape": ["8 * n"]},
            "row_totals": {"role": "out", "shape": ["n"]},
        },
    },
}
