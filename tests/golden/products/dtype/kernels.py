"""Kernels of the category dtype, seed 0.

Conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products.
"""

import warp as wp


@wp.kernel
def saturating_cast(
    mask: wp.array(dtype=wp.int32),
    signals: wp.array(dtype=wp.float32),
    narrow_values: wp.array(dtype=wp.int16),
):
    """Float32 values, scaled and rounded, as int16 with saturation. Elements outside the mask are
    skipped."""
    i = wp.tid()
    if mask[i] == 0:
        return
    signal = signals[i]
    level = wp.clamp(wp.round(signal * 21080.0), -32768.0, 32767.0)
    narrow_values[i] = wp.int16(int(level))


LAUNCH = {
    "saturating_cast": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "signals": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "narrow_values": {"role": "out", "shape": ["n"]},
        },
    },
}
