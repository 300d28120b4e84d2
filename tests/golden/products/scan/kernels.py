"""Kernels of the category scan, seed 0.

Scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def tree_sweep(length: int, sums: wp.array(dtype=wp.int32)):
    """A step up the tree of a scan: the right element of each pair takes in the left one, 16 apart,
    for sums."""
    tid = wp.tid()
    begin = tid * 8
    for pair in range(begin, wp.min(begin + 8, length)):
        left = pair * 32 + 15
        right = pair * 32 + 31
        sums[right] += sums[left]


LAUNCH = {
    "tree_sweep": {
        "difficulty": "easy",
        "dims": ["(n + 7) // 8"],
        "parameters": {
            "length": {"values": {"size": "n"}},
            "sums": {"role": "inout", "shape": ["32 * n"], "values": {"integers": [-5, 9]}},
        },
    },
}
