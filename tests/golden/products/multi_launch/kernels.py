"""Kernels of the category multi_launch, seed 0.

Programs of several launches: ping-pong, stages, branches, and host steps between them.
"""

import warp as wp


@wp.kernel
def count_bins(
    source: wp.array(dtype=wp.int32),
    amounts: wp.array(dtype=wp.int32),
    table: wp.array(dtype=wp.int32),
):
    """Counts in 8 bins, weighted by size. The first bin stays empty."""
    cell = wp.tid()
    bin_index = source[cell]
    if bin_index > 0:
        wp.atomic_add(table, bin_index, amounts[cell])


@wp.kernel
def scan_bins(source: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    """Exclusive prefix sums of the counts, by a thread a bin."""
    bin_index = wp.tid()
    total = int(0)
    for j in range(8):
        if j < bin_index:
            total += source[j]
    out[bin_index] = total


@wp.kernel
def find_places(
    source: wp.array(dtype=wp.int32),
    table: wp.array(dtype=wp.int32),
    filled: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
):
    """Where the bin of each element begins, plus how full it is."""
    cell = wp.tid()
    bin_index = source[cell]
    out[cell] = table[bin_index] + filled[bin_index]


LAUNCH = {
    "count_and_place": {
        "difficulty": "medium",
        "steps": [
            {"zero": "counts"},
            {
                "kernel": "count_bins",
                "dims": ["n"],
                "arguments": {"source": "labels", "table": "counts", "amounts": "sizes"},
            },
            {
                "kernel": "scan_bins",
                "dims": ["8"],
                "arguments": {"source": "counts", "out": "starts"},
            },
            {
                "kernel": "find_places",
                "dims": ["n"],
                "arguments": {"source": "labels", "table": "starts", "filled": "counts", "out": "first_slots"},
            },
        ],
        "parameters": {
            "labels": {"role": "in", "shape": ["n"], "values": {"integers": [0, 8]}},
            "sizes": {"role": "in", "shape": ["n"], "values": {"integers": [1, 6]}},
            "counts": {"role": "out", "shape": ["8"]},
            "starts": {"role": "out", "shape": ["8"]},
            "first_slots": {"role": "out", "shape": ["n"]},
        },
    },
}

PARTS = ["count_bins", "scan_bins", "find_places"]
