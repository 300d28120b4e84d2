"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def alternating_update(
    permutation: wp.array(dtype=wp.int32),
    values: wp.array(dtype=wp.float64),
    species: wp.array(dtype=wp.int32),
    value_gains: wp.array(dtype=wp.float64),
    gain_share: wp.array(dtype=wp.float64),
    bias: wp.array(dtype=wp.float64),
    gain_range: wp.vec2d,
    new_values: wp.array(dtype=wp.float64),
    new_value_counts: wp.array(dtype=wp.int32),
):
    """Update that treats every second site differently. Thread tid works on element
    permutation[tid]. The new value is multiplied by 3.0. The result is increased by 0.4. How often
    the result exceeds -0.04 is counted."""
    tid = wp.tid()
    i = permutation[tid]
    value = values[i]
    gain = wp.lerp(gain_range[0], gain_range[1], gain_share[i])
    calibrated_value = (value - wp.float64(0.05)) * value_gains[species[i]]
    updated = wp.float64(0.0)
    if i % 2 == 0:
        updated = gain * calibrated_value
    else:
        updated = calibrated_value + bias[i]
    new_value = wp.float64(3.0) * updated + wp.float64(0.4)
    new_values[tid] = new_value
    if new_value > wp.float64(-0.04):
        new_value_counts[0] += 1


LAUNCH = {
    "alternating_update": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "permutation": {"role": "in", "shape": ["n"], "values": {"permutation": "n"}},
            "values": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "species": {"role": "in", "shape": ["n"], "values": {"integers": [0, 6]}},
            "value_gains": {"role": "in", "shape": ["6"], "values": {"uniform": [0.5, 0.95]}},
            "gain_share": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "bias": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "gain_range": {"values": {"uniform": [1.5, 3.0]}},
            "new_values": {"role": "out", "shape": ["n"]},
            "new_value_counts": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}
