"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def stable_softmax(
    logits: wp.array2d(dtype=float),
    cols: int,
    probabilities: wp.array2d(dtype=float),
):
    """Softmax over the last axis."""
    row = wp.tid()

    largest = logits[row, 0]
    for j in range(1, cols):
        largest = wp.max(largest, logits[row, j])

    total = float(0.0)
    for j in range(cols):
        weight = wp.exp(logits[row, j] - largest)
        total += weight
        probabilities[row, j] = weight

    for j in range(cols):
        probabilities[row, j] = probabilities[row, j] / total


LAUNCH = {
    "stable_softmax": {
        "sizes": {"rows": "(n + 63) // 64", "cols": "min(n, 64)"},
        "difficulty": "easy",
        "dims": ["rows"],
        "parameters": {
            "logits": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-8.0, 8.0]}},
            "cols": {"values": {"size": "cols"}},
            "probabilities": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "stable_softmax": {"goal": "loop.softmax", "ending": "written", "formulas": []},
}
