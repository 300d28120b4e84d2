"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans.
"""

import warp as wp


TOKENS = wp.constant(256)


@wp.func
def keep(mass_before: float, limit: float):
    """Return 1 if the mass before a token is below the limit, else 0."""
    return wp.where(mass_before < limit, 1, 0)


@wp.kernel
def top_p_mask(sorted_weights: wp.array2d(dtype=float), top_p: float, kept: wp.array2d(dtype=int)):
    """Mark the nucleus of each row with 1, and all other tokens with 0. The weights of a row are
    sorted in descending order; the nucleus is the shortest prefix of the row whose sum reaches the
    fraction top_p of the total (top-p sampling)."""
    row = wp.tid()
    weights = wp.tile_load(sorted_weights[row], shape=TOKENS)
    cumulative = wp.tile_scan_inclusive(weights)
    total = cumulative[TOKENS - 1]
    limits = wp.tile_full(shape=TOKENS, value=top_p * total, dtype=float)
    wp.tile_store(kept[row], wp.tile_map(keep, cumulative - weights, limits))


LAUNCH = {
    "top_p_mask": {
        "sizes": {"rows": "(n + 63) // 64"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["rows"],
        "block_dim": 256,
        "parameters": {
            "sorted_weights": {"role": "in", "shape": ["rows", "256"], "values": {"integers": [1, 9]}},
            "top_p": {"values": {"constant": 0.875}},
            "kept": {"role": "out", "shape": ["rows", "256"]},
        },
    },
}

MADE_OF = {
    "top_p_mask": {"goal": "scan.cumulative_distribution", "ending": "written", "formulas": []},
}
