"""Kernels of the category dtype, seed 0.

Conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products.
"""

import warp as wp


@wp.func
def compute_result(total: int, unit: float):
    """The result, from total and unit."""
    return 0.8 - float(wp.int16(total)) * unit


@wp.kernel
def saturating_add(
    left_values: wp.array2d(dtype=wp.int16),
    right_values: wp.array2d(dtype=wp.int16),
    results: wp.array2d(dtype=wp.float32),
    height: int,
    width: int,
    unit: float,
):
    """Distance with saturation of pairs of int16 values, computed in int32, stored as float32 in
    units. The result is subtracted from 0.8."""
    y, x = wp.tid()
    if y >= height or x >= width:
        return
    first = int(left_values[y, x])
    second = int(right_values[y, x])
    total = wp.abs(first - second)
    if total > 32767:
        total = 32767
    result = compute_result(total, unit)
    results[y, x] = result


LAUNCH = {
    "saturating_add": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "hard",
        "dims": ["height + 2", "width + 3"],
        "parameters": {
            "left_values": {"role": "in", "shape": ["height", "width"], "values": {"integers": [-32768, 32768]}},
            "right_values": {"role": "in", "shape": ["height", "width"], "values": {"integers": [-32768, 32768]}},
            "results": {"role": "out", "shape": ["height", "width"]},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "unit": {"values": {"uniform": [0.01, 0.5]}},
        },
    },
}
