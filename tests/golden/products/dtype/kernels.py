"""Kernels of the category dtype, seed 0.

Conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products.
"""

import warp as wp


@wp.kernel
def saturating_add(
    left_values: wp.array(dtype=wp.int8),
    right_values: wp.array(dtype=wp.int8),
    last_results: wp.array(dtype=wp.int8),
    results: wp.array(dtype=wp.int8),
    changed: wp.array(dtype=wp.uint8),
    count: int,
):
    """Sum with saturation of pairs of int8 values, computed in int32. Elements that differ from the
    last ones are marked."""
    i = wp.tid()
    if i >= count:
        return
    result = wp.int8(wp.clamp(int(left_values[i]) + int(right_values[i]), -128, 127))
    last_result = last_results[i]
    results[i] = result
    changed[i] = wp.uint8(1) if result != last_result else wp.uint8(0)


LAUNCH = {
    "saturating_add": {
        "difficulty": "medium",
        "dims": ["(n + 31) // 32 * 32"],
        "parameters": {
            "left_values": {"role": "in", "shape": ["n"], "values": {"integers": [-128, 128]}},
            "right_values": {"role": "in", "shape": ["n"], "values": {"integers": [-128, 128]}},
            "last_results": {"role": "in", "shape": ["n"], "values": {"integers": [-128, 128]}},
            "results": {"role": "out", "shape": ["n"]},
            "changed": {"role": "out", "shape": ["n"]},
            "count": {"values": {"size": "n"}},
        },
    },
}
