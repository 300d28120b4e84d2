"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def rank_median(features: wp.array2d(dtype=wp.float32), max_peak: wp.array(dtype=wp.float32)):
    """Find the largest median of all rows by counting how many features are smaller."""
    i = wp.tid()
    peak = float(0.0)
    for j in range(16):
        candidate = features[j, i]
        smaller = int(0)
        for m in range(16):
            neighbor = features[m, i]
            if neighbor < candidate or (neighbor == candidate and m < j):
                smaller += 1
        if smaller == 8:
            peak = candidate
            break
    wp.atomic_max(max_peak, 0, peak)


LAUNCH = {
    "rank_median": {
        "sizes": {"features": "16"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "features": {"role": "in", "shape": ["features", "n"], "values": {"uniform": [-2.0, 2.0]}},
            "max_peak": {"role": "inout", "shape": ["1"], "values": {"constant": -3.4028234663852886e38}},
        },
    },
}

MADE_OF = {
    "rank_median": {"goal": "rows.rank_median", "ending": "largest", "formulas": ["rows.rank_median"]},
}
