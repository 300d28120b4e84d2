"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def blackman_power(
    signal: wp.array2d(dtype=wp.float32),
    group_ids: wp.array(dtype=wp.int32),
    num_samples: int,
    group_frame_powers: wp.array(dtype=wp.float32),
):
    """Sum the power of all frames of each group under a Blackman window."""
    i = wp.tid()
    total = float(0.0)
    for j in range(num_samples):
        angle = 6.2831853 * float(j) / (float(num_samples) - 1.0)
        value = signal[i, j] * (0.42 - 0.5 * wp.cos(angle) + 0.08 * wp.cos(2.0 * angle))
        total += value * value
    frame_power = total / float(num_samples)
    group = group_ids[i]
    wp.atomic_add(group_frame_powers, group, frame_power)


LAUNCH = {
    "blackman_power": {
        "sizes": {"samples": "16", "groups": "8"},
        "difficulty": "medium",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "signal": {"role": "in", "shape": ["n", "samples"], "values": {"uniform": [-1.0, 1.0]}},
            "group_ids": {"role": "in", "shape": ["n"], "values": {"integers": [0, "groups"]}},
            "num_samples": {"values": {"size": "samples"}},
            "group_frame_powers": {"role": "inout", "shape": ["groups"], "values": {"constant": 0.0}},
        },
    },
}
