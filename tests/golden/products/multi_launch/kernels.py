"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps.
"""

import warp as wp


GRAY_LEVELS = wp.constant(256)


@wp.kernel
def compute_luma(colors: wp.array2d(dtype=wp.vec3ub), luma: wp.array2d(dtype=int)):
    """Compute the luma of 8-bit colors, rounded down, with the weights of Rec. 601 in units of
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
def clip_counts(
    counts: wp.array(dtype=int),
    clip_limit: int,
    clipped: wp.array(dtype=int),
    excess: wp.array(dtype=int),
):
    """Clip the count of each level at clip_limit, and add what is cut off to excess[0]."""
    level = wp.tid()
    clipped[level] = wp.min(counts[level], clip_limit)
    wp.atomic_add(excess, 0, wp.max(counts[level] - clip_limit, 0))


@wp.kernel
def accumulate_clipped_counts(clipped: wp.array(dtype=int), cumulative: wp.array(dtype=int)):
    """Compute the cumulative histogram: for each level, the clipped count of all levels up to
    it."""
    level = wp.tid()
    total = int(0)
    for k in range(level + 1):
        total += clipped[k]
    cumulative[level] = total


@wp.kernel
def build_clipped_table(
    cumulative: wp.array(dtype=int), excess: wp.array(dtype=int), table: wp.array(dtype=int)
):
    """Map each gray level to a new one, so that the cumulative histogram becomes about linear: the
    share of pixels up to it, times the highest level, rounded down. The excess is spread over all
    levels, and the first get the remainder."""
    level = wp.tid()
    share = excess[0] / GRAY_LEVELS
    remainder = excess[0] % GRAY_LEVELS
    num_pixels = cumulative[GRAY_LEVELS - 1] + excess[0]
    up_to_level = cumulative[level] + (level + 1) * share + wp.min(level + 1, remainder)
    # the product needs 64 bits for images of millions of pixels
    table[level] = int(wp.int64(up_to_level) * wp.int64(GRAY_LEVELS - 1) / wp.int64(num_pixels))


@wp.kernel
def apply_table(
    luma: wp.array2d(dtype=int), table: wp.array(dtype=int), equalized: wp.array2d(dtype=int)
):
    """Look up the new level of each pixel."""
    y, x = wp.tid()
    equalized[y, x] = table[luma[y, x]]


LAUNCH = {
    "contrast_limited_equalization": {
        "description": "Equalize the histogram of the luma of a color image with limited contrast: counts above clip_limit are spread over all levels.",
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "64"},
        "difficulty": "expert",
        "steps": [
            {"zero": "counts"},
            {"zero": "excess"},
            {"kernel": "compute_luma", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "count_levels", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "clip_counts", "dims": ["256"], "arguments": {}},
            {"kernel": "accumulate_clipped_counts", "dims": ["256"], "arguments": {}},
            {"kernel": "build_clipped_table", "dims": ["256"], "arguments": {}},
            {"kernel": "apply_table", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "colors": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 256]}},
            "luma": {"role": "out", "shape": ["height", "width"]},
            "clip_limit": {"values": {"integers": [3, 12]}},
            "counts": {"role": "out", "shape": ["256"]},
            "clipped": {"role": "out", "shape": ["256"]},
            "excess": {"role": "out", "shape": ["1"]},
            "cumulative": {"role": "out", "shape": ["256"]},
            "table": {"role": "out", "shape": ["256"]},
            "equalized": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "contrast_limited_equalization": {"goal": "multi_launch.histogram_equalization", "ending": "written", "formulas": []},
}

PARTS = ["compute_luma", "count_levels", "clip_counts", "accumulate_clipped_counts", "build_clipped_table", "apply_table"]
