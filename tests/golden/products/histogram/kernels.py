"""Kernels of the category histogram, seed 0.

Histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts.
"""

import warp as wp


@wp.kernel
def merged_copies(
    private_counts: wp.array2d(dtype=wp.int32),
    merged_counts: wp.array(dtype=wp.int32),
):
    """Counts of each bin, merged from 4 copies of a histogram."""
    i = wp.tid()
    total = int(0)
    for c in range(4):
        count = private_counts[c, i]
        total += count
    merged_counts[i] = total


LAUNCH = {
    "merged_copies": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "private_counts": {"role": "in", "shape": ["4", "n"], "values": {"integers": [0, 40]}},
            "merged_counts": {"role": "out", "shape": ["n"]},
        },
    },
}
