"""Kernels of the category reduction, seed 0.

Reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments.
"""

import warp as wp


@wp.func
def huber_loss(value: float):
    """Quadratic up to 0.5, linear beyond."""
    size = wp.abs(value)
    if size <= 0.5:
        return 0.5 * value * value
    return 0.5 * (size - 0.25)


@wp.kernel
def compensated_sum(
    samples: wp.array2d(dtype=wp.float32),
    total_values: wp.array(dtype=wp.float32),
):
    """Sum of the Huber losses of the samples of each row, added by Kahan's method."""
    i = wp.tid()
    total = float(0.0)
    lost = float(0.0)
    for j in range(24):
        corrected = huber_loss(samples[i, j]) - lost
        updated = total + corrected
        lost = updated - total - corrected
        total = updated
    total_values[i] = total


LAUNCH = {
    "compensated_sum": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "samples": {"role": "in", "shape": ["n", "24"], "values": {"uniform": [-1.0, 1.0]}},
            "total_values": {"role": "out", "shape": ["n"]},
        },
    },
}
