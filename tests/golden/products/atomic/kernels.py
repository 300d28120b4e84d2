"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places; counters that lists grow by.
"""

import warp as wp


@wp.kernel
def keep_active_rays(
    hit_ids: wp.array(dtype=int),
    num_kept: wp.array(dtype=int),
    kept_ids: wp.array(dtype=int),
):
    """Keep the rays that have not hit anything, by their indices, in any order."""
    i = wp.tid()
    if hit_ids[i] >= 0:
        return
    slot = wp.atomic_add(num_kept, 0, 1)
    kept_ids[slot] = i


LAUNCH = {
    "keep_active_rays": {
        "difficulty": "hard",
        "equality": "permutation",
        "dims": ["n"],
        "parameters": {
            "hit_ids": {"role": "in", "shape": ["n"], "values": {"integers": [-3, 4]}},
            "num_kept": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
            "kept_ids": {"role": "inout", "shape": ["n"], "values": {"constant": -1}},
        },
    },
}

MADE_OF = {
    "keep_active_rays": {"goal": "atomic.stream_compaction", "ending": "written", "formulas": []},
}
