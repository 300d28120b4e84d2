"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps.
"""

import warp as wp


GRAY_LEVELS = wp.constant(256)


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
def build_table(counts: wp.array(dtype=int), clip_limit: int, table: wp.array(dtype=int)):
    """Compute the new level of each level, which makes the cumulative histogram linear; counts
    above clip_limit are spread over all levels, and the first get the remainder. Level 0 maps to
    0."""
    level = wp.tid()
    num_pixels = int(0)
    cumulative = int(0)
    excess = int(0)
    for k in range(GRAY_LEVELS):
        count = counts[k]
        num_pixels += count
        excess += wp.max(count - clip_limit, 0)
        if k <= level:
            cumulative += wp.min(count, clip_limit)
    share = excess / GRAY_LEVELS
    remainder = excess % GRAY_LEVELS
    cumulative += (level + 1) * share + wp.min(level + 1, remainder)
    darkest = wp.min(counts[0], clip_limit) + share + wp.min(1, remainder)
    brighter = wp.int64(wp.max(num_pixels - darkest, 1))
    # the product needs 64 bits for images of millions of pixels
    table[level] = int(wp.int64(cumulative - darkest) * wp.int64(GRAY_LEVELS - 1) / brighter)


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
            {"kernel": "compute_luma", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "count_levels", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "build_table", "dims": ["256"], "arguments": {}},
            {"kernel": "apply_table", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "colors": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 256]}},
            "luma": {"role": "out", "shape": ["height", "width"]},
            "clip_limit": {"values": {"integers": [3, 12]}},
            "counts": {"role": "out", "shape": ["256"]},
            "table": {"role": "out", "shape": ["256"]},
            "equalized": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "contrast_limited_equalization": {"goal": "multi_launch.histogram_equalization", "ending": "written", "formulas": []},
}

PARTS = ["compute_luma", "count_levels", "build_table", "apply_table"]
