"""Kernels of the category histogram, seed 0.

Histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts.
"""

import warp as wp


@wp.kernel
def merged_copies(
    private_counts: wp.array3d(dtype=wp.int32),
    merged_counts: wp.array2d(dtype=wp.int32),
    height: int,
    width: int,
):
    """Counts of each bin, merged from 4 copies of a histogram."""
    y, x = wp.tid()
    if y >= height or x >= width:
        return
    total = int(0)
    for c in range(4):
        count = private_counts[y, x, c]
        total += count
    merged_counts[y, x] = total


LAUNCH = {
    "merged_copies": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "easy",
        "dims": ["height + 2", "width + 1"],
        "parameters": {
            "private_counts": {"role": "in", "shape": ["height", "width", "4"], "values": {"integers": [0, 40]}},
            "merged_counts": {"role": "out", "shape": ["height", "width"]},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
        },
    },
}
