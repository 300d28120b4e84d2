"""Kernels of the category scan, seed 0.

Scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def block_offsets(
    local: wp.array(dtype=wp.int64),
    other_block_offsets: wp.array(dtype=wp.int64),
    values: wp.array(dtype=wp.int64),
    start_value: wp.int64,
    count: int,
    num_threads: int,
    smallest_scanned_values: wp.array(dtype=wp.int64),
):
    """Exclusive sums from inclusive ones within blocks and what came before each block, 64 elements
    a block. The result is multiplied by 4. The scanned value is added to start_value. The smaller
    of the result and what is stored is kept."""
    tid = wp.tid()
    for e in range(3):
        i = e * num_threads + tid
        if i < count:
            block = i // 64
            smallest_scanned_values[i] = wp.min(
                smallest_scanned_values[i],
                start_value + (local[i] + other_block_offsets[block] - values[i]) * wp.int64(4),
            )


LAUNCH = {
    "block_offsets": {
        "sizes": {"blocks": "(n + 63) // 64", "threads": "(n + 2) // 3"},
        "difficulty": "medium",
        "dims": ["threads"],
        "parameters": {
            "local": {"role": "in", "shape": ["n"], "values": {"integers": [-5, 9]}},
            "other_block_offsets": {"role": "in", "shape": ["blocks"], "values": {"integers": [-5, 9]}},
            "values": {"role": "in", "shape": ["n"], "values": {"integers": [-5, 9]}},
            "start_value": {"values": {"integers": [1, 51]}},
            "count": {"values": {"size": "n"}},
            "num_threads": {"values": {"size": "threads"}},
            "smallest_scanned_values": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 135]}},
        },
    },
}
