"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, precise sums.
"""

import warp as wp


@wp.kernel
def classify_levels(
    first: wp.array2d(dtype=wp.uint8),
    low: int,
    high: int,
    result: wp.array2d(dtype=wp.uint8),
):
    """Classify pixels by two thresholds: 255 above the high one, 128 above the low one, and 0
    otherwise."""
    y, x = wp.tid()
    level = int(first[y, x])
    if level > high:
        result[y, x] = wp.uint8(255)
    elif level > low:
        result[y, x] = wp.uint8(128)
    else:
        result[y, x] = wp.uint8(0)


LAUNCH = {
    "classify_levels": {
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "96"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "first": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 256]}},
            "low": {"values": {"integers": [31, 63]}},
            "high": {"values": {"integers": [127, 191]}},
            "result": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "classify_levels": {"goal": "dtype.saturating_pixels", "ending": "written", "formulas": []},
}
