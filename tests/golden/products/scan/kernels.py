"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def cumulative_growth(
    returns: wp.array2d(dtype=float),
    length: int,
    growth: wp.array2d(dtype=float),
):
    """Growth of a unit investment under a series of returns."""
    series = wp.tid()
    value = float(1.0)
    for t in range(length):
        value *= 1.0 + returns[series, t]
        growth[series, t] = value


LAUNCH = {
    "cumulative_growth": {
        "sizes": {"rows": "(n + 63) // 64 + 1", "length": "min(n + 2, 100)"},
        "difficulty": "easy",
        "dims": ["rows"],
        "parameters": {
            "returns": {"role": "in", "shape": ["rows", "length"], "values": {"uniform": [-0.05, 0.06]}},
            "length": {"values": {"size": "length"}},
            "growth": {"role": "out", "shape": ["rows", "length"]},
        },
    },
}

MADE_OF = {
    "cumulative_growth": {"goal": "scan.recurrences", "ending": "written", "formulas": []},
}
