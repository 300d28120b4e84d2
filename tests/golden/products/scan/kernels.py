"""Kernels of the category scan, seed 0.

Scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.func
def clipped_size(value: float):
    """The magnitude, at most 0.4."""
    size = wp.abs(value)
    return wp.min(size, 0.4)


@wp.kernel
def recurrence(
    samples: wp.array(dtype=wp.float32),
    start: float,
    discount: float,
    base_level: float,
    returns: wp.array(dtype=wp.float32),
    final_levels: wp.array(dtype=wp.float32),
):
    """First-order recurrence over the clipped magnitudes of the samples along each row. The final
    level is subtracted from base_level. The stored value moves towards the result by the factor
    0.55."""
    i = wp.tid()
    carry = start
    for t in range(32):
        x = samples[i * 32 + t]
        carry = discount * (carry + clipped_size(x))
        returns[i * 32 + t] = carry
    final_levels[i] = 0.45 * final_levels[i] + 0.55 * (base_level - carry)


LAUNCH = {
    "recurrence": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "samples": {"role": "in", "shape": ["32 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "start": {"values": {"uniform": [-0.5, 0.5]}},
            "discount": {"values": {"uniform": [0.3, 0.9]}},
            "base_level": {"values": {"uniform": [0.5, 2.0]}},
            "returns": {"role": "out", "shape": ["32 * n"]},
            "final_levels": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
