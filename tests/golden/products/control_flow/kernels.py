"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.kernel
def guarded_update(
    values: wp.array2d(dtype=wp.float32),
    ages: wp.array2d(dtype=wp.int32),
    levels: wp.array2d(dtype=wp.float32),
    rate: float,
):
    """Add to each state a share of a Gaussian of its value. Old elements are set to zero. States
    close to their value decay."""
    j, i = wp.tid()
    value = values[j, i]
    if ages[j, i] > 13:
        levels[j, i] = 0.0
        return
    if wp.abs(value - levels[j, i]) < 0.12:
        levels[j, i] = levels[j, i] * 0.95
        return
    levels[j, i] = levels[j, i] + rate * wp.exp(-(value * value))


LAUNCH = {
    "guarded_update": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "difficulty": "medium",
        "dims": ["ny", "nx"],
        "parameters": {
            "values": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-2.0, 2.0]}},
            "ages": {"role": "in", "shape": ["ny", "nx"], "values": {"integers": [0, 21]}},
            "levels": {"role": "inout", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "rate": {"values": {"uniform": [0.1, 0.5]}},
        },
    },
}
