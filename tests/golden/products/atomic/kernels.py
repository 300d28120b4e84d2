"""Kernels of the category atomic, seed 0.

Atomic adds, subtractions, minima and maxima into shared places.
"""

import warp as wp


@wp.kernel
def histogram(intensities: wp.array(dtype=wp.float32), counts: wp.array(dtype=wp.float32)):
    """Histogram in 10 bins."""
    i = wp.tid()
    bin_index = wp.min(int((intensities[i] + 1.0) * 5.0), 9)
    counts[bin_index] += 1.0


LAUNCH = {
    "histogram": {
        "sizes": {"bins": "10"},
        "dims": ["n"],
        "parameters": {
            "intensities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "counts": {"role": "inout", "shape": ["bins"], "values": {"constant": 0}},
        },
    },
}
