"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


NUM_BINS = wp.constant(32)


@wp.kernel
def count_levels(image: wp.array2d(dtype=int), counts: wp.array(dtype=int)):
    """Compute the histogram of the gray levels of an image by an atomic addition per pixel."""
    y, x = wp.tid()
    wp.atomic_add(counts, image[y, x], 1)


LAUNCH = {
    "count_levels": {
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "64"},
        "difficulty": "hard",
        "dims": ["height", "width"],
        "parameters": {
            "image": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 32]}},
            "counts": {"role": "inout", "shape": ["32"], "values": {"constant": 0}},
        },
    },
}

MADE_OF = {
    "count_levels": {"goal": "histogram.histograms", "ending": "written", "formulas": []},
}
