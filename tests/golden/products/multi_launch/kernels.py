"""Kernels of the category multi_launch, seed 0.

Programs of several launches: ping-pong, stages, branches, and host steps between them.
"""

import warp as wp


@wp.kernel
def count_bins(source: wp.array(dtype=wp.int32), table: wp.array(dtype=wp.int32)):
    """Counts in 32 bins."""
    i = wp.tid()
    bin_index = source[i]
    table[bin_index] += 1


@wp.kernel
def scan_bins(source: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    """Inclusive prefix sums of the counts, by a thread a bin."""
    bin_index = wp.tid()
    total = int(0)
    for j in range(bin_index + 1):
        total += source[j]
    out[bin_index] = total


@wp.kernel
def find_places(
    source: wp.array(dtype=wp.int32),
    table: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
):
    """Where the bin of each element ends."""
    item = wp.tid()
    out[item] = table[source[item]]


@wp.kernel
def look_at_bins(counts_in: wp.array(dtype=wp.int32), height_out: wp.array(dtype=wp.int32)):
    """How full the fullest bin is."""
    bin_index = wp.tid()
    number = counts_in[bin_index]
    wp.atomic_max(height_out, 0, number)


LAUNCH = {
    "count_and_place": {
        "difficulty": "medium",
        "steps": [
            {"zero": "counts"},
            {
                "kernel": "count_bins",
                "dims": ["n"],
                "arguments": {"source": "keys", "table": "counts"},
            },
            {
                "kernel": "scan_bins",
                "dims": ["32"],
                "arguments": {"source": "counts", "out": "offsets"},
            },
            {
                "kernel": "find_places",
                "dims": ["n"],
                "arguments": {"source": "keys", "table": "offsets", "out": "places"},
            },
            {
                "kernel": "look_at_bins",
                "dims": ["32"],
                "arguments": {"counts_in": "counts", "height_out": "height"},
            },
        ],
        "parameters": {
            "keys": {"role": "in", "shape": ["n"], "values": {"integers": [0, 32]}},
            "counts": {"role": "out", "shape": ["32"]},
            "offsets": {"role": "out", "shape": ["32"]},
            "places": {"role": "out", "shape": ["n"]},
            "height": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}

PARTS = ["count_bins", "scan_bins", "find_places", "look_at_bins"]
