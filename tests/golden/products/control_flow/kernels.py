"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def first_above(
    mask: wp.array(dtype=wp.int32),
    samples: wp.array(dtype=wp.float64),
    levels: wp.array(dtype=wp.float64),
    open_flags: wp.array(dtype=wp.int32),
    leads: wp.array(dtype=wp.float64),
):
    """Sum of each row before its first value above a level, plus that position. Elements outside
    the mask are skipped. samples is flat, 10 numbers for each row. Where open_flags is zero, 0.85
    takes the place of the lead. The result goes through a logistic function."""
    row = wp.tid()
    if mask[row] == 0:
        return
    base = row * 10
    found = int(-1)
    total = wp.float64(0.0)
    j = int(0)
    while j < 10 and found == -1:
        here = samples[base + j]
        if here > levels[row]:
            found = j
        else:
            total += here
        j += 1
    lead = total + wp.float64(found)
    gated_lead = wp.where(open_flags[row] == 0, wp.float64(0.85), lead)
    leads[row] = wp.float64(1.0) / (wp.float64(1.0) + wp.exp(-gated_lead))


LAUNCH = {
    "first_above": {
        "sizes": {"width": "10"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "samples": {"role": "in", "shape": ["10 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "levels": {"role": "in", "shape": ["n"], "values": {"uniform": [0.4, 0.85]}},
            "open_flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "leads": {"role": "out", "shape": ["n"]},
        },
    },
}
