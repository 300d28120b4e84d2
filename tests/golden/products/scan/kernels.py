"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


RADIUS = wp.constant(6)


@wp.kernel
def scan_columns(gray: wp.array2d(dtype=int), partial: wp.array2d(dtype=int)):
    """Compute the prefix sums down each column of an image. Row 0 and column 0 of the table are
    zero and stay so."""
    x = wp.tid()
    total = int(0)
    for y in range(gray.shape[0]):
        total += gray[y, x]
        partial[y + 1, x + 1] = total


@wp.kernel
def add_left(before: wp.array2d(dtype=int), stride: int, after: wp.array2d(dtype=int)):
    """Add the column that lies `stride` to the left: one step of recursive doubling, which scans
    the rows."""
    y, x = wp.tid()
    total = before[y, x]
    if x >= stride:
        total += before[y, x - stride]
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
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "min(n + 40, 80)"},
        "difficulty": "hard",
        "steps": [
            {"zero": "partial"},
            {"kernel": "scan_columns", "dims": ["width"], "arguments": {}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "partial", "stride": 1, "after": "sat"}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "sat", "stride": 2, "after": "partial"}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "partial", "stride": 4, "after": "sat"}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "sat", "stride": 8, "after": "partial"}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "partial", "stride": 16, "after": "sat"}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "sat", "stride": 32, "after": "partial"}},
            {"kernel": "add_left", "dims": ["height + 1", "width + 1"], "arguments": {"before": "partial", "stride": 64, "after": "sat"}},
            {"kernel": "average_boxes", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "gray": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 256]}},
            "partial": {"role": "out", "shape": ["height + 1", "width + 1"]},
            "sat": {"role": "out", "shape": ["height + 1", "width + 1"]},
            "filtered": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "integral_box_filter": {"goal": "scan.summed_area_table", "ending": "written", "formulas": []},
}

PARTS = ["scan_columns", "add_left", "average_boxes"]
