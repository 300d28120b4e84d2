"""Kernels of the category reduction, seed 0.

Reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments.
"""

import warp as wp


@wp.kernel
def row_fold(
    enabled: wp.array(dtype=wp.int32),
    samples: wp.array3d(dtype=wp.float32),
    expectations: wp.array(dtype=wp.float32),
    row_values: wp.array(dtype=wp.float32),
):
    """Sum of the samples in each row. Elements that are not enabled are skipped. Only part 1 of
    each element of a row counts. The squared difference between the row value and the expectation
    is taken. The result goes through a hyperbolic decay."""
    channel = wp.tid()
    if enabled[channel] == 0:
        return
    acc = float(0.0)
    for j in range(6):
        entry = samples[channel, j, 1]
        acc += entry
    expectation = expectations[channel]
    residual = acc - expectation
    row_value = residual * residual
    row_values[channel] = 1.0 / (1.0 + row_value)


LAUNCH = {
    "row_fold": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "samples": {"role": "in", "shape": ["n", "6", "3"], "values": {"uniform": [-1.0, 1.0]}},
            "expectations": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "row_values": {"role": "out", "shape": ["n"]},
        },
    },
}
