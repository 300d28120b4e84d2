"""Kernels of the category atomic, seed 0.

Atomic adds, subtractions, minima and maxima into shared places.
"""

import warp as wp


@wp.kernel
def shared_masks(
    group_ids: wp.array(dtype=wp.int32),
    labels: wp.array(dtype=wp.uint32),
    durations: wp.array(dtype=wp.float32),
    summary: wp.array(dtype=wp.uint32),
    own_bits: wp.array(dtype=wp.uint32),
    cutoff: float,
):
    """What the members of each group have between them: flags moved by 2 places of the elements
    that last no longer than cutoff. Each thread's bits are stored as well."""
    i = wp.tid()
    mask_bits = labels[i] << wp.uint32(2)
    if durations[i] <= cutoff:
        wp.atomic_or(summary, group_ids[i], mask_bits)
    own_bits[i] = mask_bits


LAUNCH = {
    "shared_masks": {
        "sizes": {"groups": "(n + 1) // 2"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "group_ids": {"role": "in", "shape": ["n"], "values": {"integers": [0, "groups"]}},
            "labels": {"role": "in", "shape": ["n"], "values": {"integers": [0, 256]}},
            "durations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "summary": {"role": "inout", "shape": ["groups"], "values": {"constant": 0}},
            "own_bits": {"role": "out", "shape": ["n"]},
            "cutoff": {"values": {"uniform": [0.3, 0.6]}},
        },
    },
}
