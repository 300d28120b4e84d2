"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def start_stride(stride: wp.array(dtype=int)):
    """Set the stride to one."""
    i = wp.tid()
    stride[i] = 1


@wp.kernel
def double_stride(count: int, stride: wp.array(dtype=int)):
    """Double the stride, up to the length of the array."""
    i = wp.tid()
    stride[i] = wp.min(2 * stride[i], count)


@wp.kernel
def combine(
    before: wp.array(dtype=int),
    heads: wp.array(dtype=int),
    stride: wp.array(dtype=int),
    after: wp.array(dtype=int),
    new_heads: wp.array(dtype=int),
):
    """Combine each element with the one that is a stride before it, unless a segment begins between
    them."""
    i = wp.tid()
    other = i - stride[0]
    total = before[i]
    head = heads[i]
    if other >= 0:
        if head == 0:
            total += before[other]
        head = head | heads[other]
    after[i] = total
    new_heads[i] = head


LAUNCH = {
    "segmented_scan_by_doubling": {
        "description": "Compute segmented prefix sums by recursive doubling in 18 passes, enough for 2^18 elements.",
        "difficulty": "expert",
        "steps": [
            {"kernel": "start_stride", "dims": ["1"], "arguments": {}},
            {"repeat": 9, "steps": [
                {"kernel": "combine", "dims": ["n"], "arguments": {"before": "x", "heads": "heads", "after": "scratch", "new_heads": "scratch_heads"}},
                {"kernel": "double_stride", "dims": ["1"], "arguments": {}},
                {"kernel": "combine", "dims": ["n"], "arguments": {"before": "scratch", "heads": "scratch_heads", "after": "x", "new_heads": "heads"}},
                {"kernel": "double_stride", "dims": ["1"], "arguments": {}},
            ]},
        ],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"integers": [-9, 10]}},
            "heads": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 2]}},
            "count": {"values": {"size": "n"}},
            "stride": {"role": "out", "shape": ["1"]},
            "scratch": {"role": "out", "shape": ["n"]},
            "scratch_heads": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "segmented_scan_by_doubling": {"goal": "scan.hillis_steele", "ending": "written", "formulas": []},
}

PARTS = ["start_stride", "double_stride", "combine"]
