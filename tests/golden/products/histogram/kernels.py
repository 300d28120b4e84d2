"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


@wp.kernel
def delay_counts(
    arrival_seconds: wp.array(dtype=wp.int32),
    departure_seconds: wp.array(dtype=wp.int32),
    histogram: wp.array(dtype=wp.int32),
):
    """Count the samples in bins by the delay between departure and arrival."""
    idx = wp.tid()
    arrival_second = arrival_seconds[idx]
    departure_second = departure_seconds[idx]
    bin_index = wp.abs(arrival_second - departure_second) // 1800
    wp.atomic_add(histogram, bin_index, 1)


LAUNCH = {
    "delay_counts": {
        "sizes": {"num_bins": "48"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "arrival_seconds": {"role": "in", "shape": ["n"], "values": {"integers": [0, 86400]}},
            "departure_seconds": {"role": "in", "shape": ["n"], "values": {"integers": [0, 86400]}},
            "histogram": {"role": "inout", "shape": ["num_bins"], "values": {"constant": 0}},
        },
    },
}

MADE_OF = {
    "delay_counts": {"goal": "bins.delay_bin", "ending": "counted", "formulas": ["bins.delay_bin"]},
}
