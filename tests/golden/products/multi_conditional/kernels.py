"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def apply_operation(
    ops: wp.array2d(dtype=wp.int32),
    lefts: wp.array2d(dtype=wp.float32),
    right_values: wp.array2d(dtype=wp.float32),
    bounds: wp.array(dtype=wp.float32),
    alive_flags: wp.array2d(dtype=wp.int32),
    results: wp.array2d(dtype=wp.float32),
):
    """One of 4 operations per element, picked by a code. A soft limit keeps the result within
    bounds[x] of zero. Where alive_flags[y, x] is zero, 0.4 takes the place of the result."""
    y, x = wp.tid()
    op = ops[y, x]
    right = right_values[y, x]
    result = float(0.0)
    if op == 0:
        result = lefts[y, x] - right
    elif op == 1:
        result = lefts[y, x] / right
    elif op == 2:
        result = wp.min(lefts[y, x], right)
    else:
        result = wp.max(lefts[y, x], right)
    gated_result = wp.where(alive_flags[y, x] == 0, 0.4, bounds[x] * wp.tanh(result / bounds[x]))
    results[y, x] = gated_result


LAUNCH = {
    "apply_operation": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "hard",
        "dims": ["height", "width"],
        "parameters": {
            "ops": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 4]}},
            "lefts": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-2.0, 2.0]}},
            "right_values": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.5, 2.0]}},
            "bounds": {"role": "in", "shape": ["width"], "values": {"uniform": [2.0, 3.2]}},
            "alive_flags": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 2]}},
            "results": {"role": "out", "shape": ["height", "width"]},
        },
    },
}
