"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


NUM_LEVELS = wp.constant(64)


@wp.kernel
def count_levels(
    pixels: wp.array2d(dtype=int),
    counts: wp.array(dtype=int),
    num_pixels: wp.array(dtype=int),
):
    """Histogram of the gray levels, and their number."""
    y, x = wp.tid()
    wp.atomic_add(counts, pixels[y, x], 1)
    wp.atomic_add(num_pixels, 0, 1)


@wp.kernel
def find_percentiles(
    counts: wp.array(dtype=int),
    num_pixels: wp.array(dtype=int),
    low_percent: int,
    high_percent: int,
    limits: wp.array(dtype=int),
):
    """First levels at which the cumulative histogram exceeds the low and the high share of the
    pixels."""
    level = wp.tid()
    before = int(0)
    for k in range(level):
        before += counts[k]
    upto = before + counts[level]
    low_rank = num_pixels[0] * low_percent / 100
    high_rank = num_pixels[0] * high_percent / 100
    if before <= low_rank and low_rank < upto:
        limits[0] = level
    if before <= high_rank and high_rank < upto:
        limits[1] = level


@wp.kernel
def stretch(
    pixels: wp.array2d(dtype=int),
    limits: wp.array(dtype=int),
    gamma: float,
    stretched: wp.array2d(dtype=float),
):
    """Map the levels between the limits to [0, 1], and apply a gamma; what is beyond them
    saturates."""
    y, x = wp.tid()
    low = limits[0]
    span = wp.max(limits[1] - low, 1)
    above = wp.clamp(pixels[y, x] - low, 0, span)
    stretched[y, x] = wp.pow(float(above) / float(span), gamma)


LAUNCH = {
    "auto_levels": {
        "description": "Stretch the contrast of an image of 64 gray levels between two percentiles of its histogram.",
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "80"},
        "difficulty": "expert",
        "steps": [
            {"zero": "counts"},
            {"zero": "num_pixels"},
            {"zero": "limits"},
            {"kernel": "count_levels", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "find_percentiles", "dims": ["64"], "arguments": {}},
            {"kernel": "stretch", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "pixels": {"role": "in", "shape": ["height", "width"], "values": {"integers": [8, 56]}},
            "low_percent": {"values": {"integers": [1, 9]}},
            "high_percent": {"values": {"integers": [90, 99]}},
            "gamma": {"values": {"uniform": [0.4, 0.9]}},
            "counts": {"role": "out", "shape": ["64"]},
            "num_pixels": {"role": "out", "shape": ["1"]},
            "limits": {"role": "out", "shape": ["2"]},
            "stretched": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "auto_levels": {"goal": "histogram.contrast_stretch", "ending": "written", "formulas": []},
}

PARTS = ["count_levels", "find_percentiles", "stretch"]
