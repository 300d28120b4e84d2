"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def boundary_update(
    field: wp.array(dtype=wp.float32),
    gains: wp.array(dtype=wp.float32),
    count: int,
    next_value_pairs: wp.array(dtype=wp.vec2),
):
    """One step on a line of cells, with rules of their own at both ends. The next value goes
    through a soft absolute value. The result is multiplied by gains[i]. The result is stored with
    its third power in one vector."""
    i = wp.tid()
    if i >= count:
        return
    value = float(0.0)
    if i == 0:
        value = field[i]
    elif i == count - 1:
        value = 0.73 * field[i]
    else:
        value = field[i] - 0.27 * (field[i] - field[i - 1])
    next_value = wp.sqrt(value * value + 0.4) * gains[i]
    next_value_pairs[i] = wp.vec2(next_value, next_value * next_value * next_value)


LAUNCH = {
    "boundary_update": {
        "difficulty": "hard",
        "dims": ["(n + 31) // 32 * 32"],
        "parameters": {
            "field": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "gains": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 5.0]}},
            "count": {"values": {"size": "n"}},
            "next_value_pairs": {"role": "out", "shape": ["n"]},
        },
    },
}
