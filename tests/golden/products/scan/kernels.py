"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans.
"""

import warp as wp


WIDTH = wp.constant(256)


@wp.func
def keep(mass_before: float, limit: float):
    """Return 1 while the mass before a token is below the limit, else 0."""
    return wp.where(mass_before < limit, 1.0, 0.0)


@wp.kernel
def top_p_mask(
    sorted_weights: wp.array2d(dtype=float),
    top_p: float,
    kept: wp.array2d(dtype=float),
):
    """Mark the nucleus of each row of weights in descending order: the fewest tokens whose mass
    reaches the fraction top_p of the total."""
    row = wp.tid()
    weights = wp.tile_load(sorted_weights[row], shape=WIDTH)
    total = wp.tile_sum(weights)
    mass_before = wp.tile_scan_exclusive(weights)
    limits = wp.tile_broadcast(total * top_p, shape=(WIDTH,))
    wp.tile_store(kept[row], wp.tile_map(keep, mass_before, limits))


LAUNCH = {
    "top_p_mask": {
        "sizes": {"rows": "(n + 63) // 64"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["rows"],
        "block_dim": 128,
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
