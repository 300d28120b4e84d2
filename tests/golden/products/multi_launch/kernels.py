"""Kernels of the category multi_launch, seed 0.

Programs of several launches: ping-pong, stages, branches, and host steps between them.
"""

import warp as wp


@wp.kernel
def count_bins(source: wp.array(dtype=wp.float32), n: int, table: wp.array(dtype=wp.int32)):
    """Counts in 32 bins."""
    item = wp.tid()
    if item >= n:
        return
    bin_index = wp.min(int(source[item] * 32.0), 31)
    table[bin_index] += 1


@wp.kernel
def scan_bins(source: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    """Exclusive prefix sums of the counts, by one thread."""
    thread = wp.tid()
    total = int(0)
    for j in range(32):
        out[thread * 32 + j] = total
        total += source[j]


@wp.kernel
def find_places(
    source: wp.array(dtype=wp.float32),
    table: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
):
    """Where the bin of each element begins."""
    i = wp.tid()
    bin_index = wp.min(int(source[i] * 32.0), 31)
    out[i] = table[bin_index]


LAUNCH = {
    "count_and_place": {
        "difficulty": "medium",
        "steps": [
            {"zero": "counts"},
            {
                "kernel": "count_bins",
                "dims": ["(n + 127) // 128 * 128"],
                "arguments": {"source": "labels", "table": "counts", "n": "n"},
            },
            {
                "kernel": "scan_bins",
                "dims": ["1"],
                "arguments": {"source": "counts", "out": "offsets"},
            },
            {
                "kernel": "find_places",
                "dims": ["n"],
                "arguments": {"source": "labels", "table": "offsets", "out": "first_slots"},
            },
        ],
        "parameters": {
            "labels": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "n": {"values": {"size": "n"}},
            "counts": {"role": "out", "shape": ["32"]},
            "offsets": {"role": "out", "shape": ["32"]},
            "first_slots": {"role": "out", "shape": ["n"]},
        },
    },
}

PARTS = ["count_bins", "scan_bins", "find_places"]
