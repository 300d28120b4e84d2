"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans.
"""

import warp as wp


RADIUS = wp.constant(6)


@wp.kernel
def scan_columns(gray: wp.array2d(dtype=int), sat: wp.array2d(dtype=int)):
    """Compute the prefix sums down a column. Row 0 and column 0 of the table stay zero."""
    x = wp.tid()
    total = int(0)
    for y in range(gray.shape[0]):
        total += gray[y, x]
        sat[y + 1, x + 1] = total


@wp.kernel
def start_stride(stride: wp.array(dtype=int)):
    """Set the stride to one."""
    i = wp.tid()
    stride[i] = 1


@wp.kernel
def double_stride(width: int, stride: wp.array(dtype=int)):
    """Double the stride, up to the width of the image."""
    i = wp.tid()
    stride[i] = wp.min(2 * stride[i], width)


@wp.kernel
def add_left(
    before: wp.array2d(dtype=int),
    stride: wp.array(dtype=int),
    after: wp.array2d(dtype=int),
):
    """Add the column that is a stride to the left."""
    y, x = wp.tid()
    left = x - stride[0]
    total = before[y, x]
    if left > 0:
        total += before[y, left]
    after[y, x] = total


@wp.func
def box_sum(sat: wp.array2d(dtype=int), top: int, left: int, bottom: int, right: int):
    """Return the sum over rows top to bottom - 1 and columns left to right - 1 from four corners of
    the table."""
    return sat[bottom, right] - sat[top, right] - sat[bottom, left] + sat[top, left]


@wp.kernel
def average_boxes(sat: wp.array2d(dtype=int), filtered: wp.array2d(dtype=float)):
    """Average the window of each pixel, cut off at the border."""
    y, x = wp.tid()
    num_rows = filtered.shape[0]
    num_cols = filtered.shape[1]
    top = wp.max(y - RADIUS, 0)
    left = wp.max(x - RADIUS, 0)
    bottom = wp.min(y + RADIUS + 1, num_rows)
    right = wp.min(x + RADIUS + 1, num_cols)
    area = (bottom - top) * (right - left)
    total = box_sum(sat, top, left, bottom, right)
    filtered[y, x] = float(total) / float(area)


LAUNCH = {
    "integral_box_filter": {
        "description": "Filter an image by box averages with a summed-area table.",
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "min(n + 40, 64)"},
        "difficulty": "expert",
        "steps": [
            {"zero": "sat"},
            {"kernel": "scan_columns", "dims": ["width"], "arguments": {}},
            {"kernel": "start_stride", "dims": ["1"], "arguments": {}},
            {"repeat": 4, "steps": [
                {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "sat", "after": "scratch"}},
                {"kernel": "double_stride", "dims": ["1"], "arguments": {}},
                {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "scratch", "after": "sat"}},
                {"kernel": "double_stride", "dims": ["1"], "arguments": {}},
            ]},
            {"kernel": "average_boxes", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "gray": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 256]}},
            "width": {"values": {"size": "width"}},
            "stride": {"role": "out", "shape": ["1"]},
            "scratch": {"role": "out", "shape": ["height + 1", "width + 1"]},
            "sat": {"role": "out", "shape": ["height + 1", "width + 1"]},
            "filtered": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "integral_box_filter": {"goal": "scan.summed_area_table", "ending": "written", "formulas": []},
}

PARTS = ["scan_columns", "start_stride", "double_stride", "add_left", "average_boxes"]
