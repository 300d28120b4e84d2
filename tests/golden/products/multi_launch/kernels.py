"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps.
"""

import warp as wp


LEVELS = wp.constant(256)


@wp.kernel
def compute_luma(colors: wp.array2d(dtype=wp.vec3ub), luma: wp.array2d(dtype=int)):
    """Compute the luma of 8-bit colors by the weights of Rec. 601, rounded to multiples of
    1/256."""
    y, x = wp.tid()
    color = colors[y, x]
    weighted = 77 * int(color[0]) + 150 * int(color[1]) + 29 * int(color[2])
    luma[y, x] = weighted // 256


@wp.kernel
def count_levels(luma: wp.array2d(dtype=int), counts: wp.array(dtype=int)):
    """Count the pixels of each gray level."""
    y, x = wp.tid()
    wp.atomic_add(counts, luma[y, x], 1)


@wp.kernel
def accumulate_counts(counts: wp.array(dtype=int), cumulative: wp.array(dtype=int)):
    """Compute the cumulative histogram, the number of pixels at most as bright as each level."""
    level = wp.tid()
    total = int(0)
    for k in range(level + 1):
        total += counts[k]
    cumulative[level] = total


@wp.kernel
def clip_counts(clip_limit: int, counts: wp.array(dtype=int), excess: wp.array(dtype=int)):
    """Clip the counts at the limit, and sum what was cut off."""
    level = wp.tid()
    above = wp.max(counts[level] - clip_limit, 0)
    counts[level] -= above
    wp.atomic_add(excess, 0, above)


@wp.kernel
def spread_excess(excess: wp.array(dtype=int), counts: wp.array(dtype=int)):
    """Distribute the excess over all levels. The remainder of the division goes to the first ones,
    one pixel each."""
    level = wp.tid()
    counts[level] += excess[0] / LEVELS + wp.where(level < excess[0] % LEVELS, 1, 0)


@wp.kernel
def build_table(cumulative: wp.array(dtype=int), num_pixels: int, table: wp.array(dtype=int)):
    """Compute the new level of each level, which makes the cumulative histogram linear. Level 0
    stays 0, and an image of nothing else is left alone."""
    level = wp.tid()
    darkest = cumulative[0]
    # the product needs 64 bits for images of millions of pixels
    rank = wp.int64(cumulative[level] - darkest)
    brighter = wp.int64(wp.max(num_pixels - darkest, 1))
    table[level] = int(rank * wp.int64(LEVELS - 1) / brighter)


@wp.kernel
def apply_table(
    luma: wp.array2d(dtype=int), table: wp.array(dtype=int), equalized: wp.array2d(dtype=int)
):
    """Look up the new level of each pixel."""
    y, x = wp.tid()
    equalized[y, x] = table[luma[y, x]]


LAUNCH = {
    "contrast_limited_equalization": {
        "description": "Equalize the histogram of the luma of a color image, with counts limited to keep the contrast in bounds.",
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "80"},
        "difficulty": "expert",
        "steps": [
            {"zero": "counts"},
            {"zero": "excess"},
            {"kernel": "compute_luma", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "count_levels", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "clip_counts", "dims": ["256"], "arguments": {}},
            {"kernel": "spread_excess", "dims": ["256"], "arguments": {}},
            {"kernel": "accumulate_counts", "dims": ["256"], "arguments": {}},
            {"kernel": "build_table", "dims": ["256"], "arguments": {}},
            {"kernel": "apply_table", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "colors": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 256]}},
            "luma": {"role": "out", "shape": ["height", "width"]},
            "clip_limit": {"values": {"integers": [3, 12]}},
            "excess": {"role": "out", "shape": ["1"]},
            "counts": {"role": "out", "shape": ["256"]},
            "cumulative": {"role": "out", "shape": ["256"]},
            "num_pixels": {"values": {"size": "height * width"}},
            "table": {"role": "out", "shape": ["256"]},
            "equalized": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "contrast_limited_equalization": {"goal": "multi_launch.histogram_equalization", "ending": "written", "formulas": []},
}

PARTS = ["compute_luma", "count_levels", "accumulate_counts", "clip_counts", "spread_excess", "build_table", "apply_table"]
