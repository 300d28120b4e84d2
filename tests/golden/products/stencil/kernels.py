"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.func
def evaluate_shaped(weight: float, up: float, down: float, here: float):
    """The shaped, from weight, up, down and here."""
    return weight * wp.max(wp.min(up, down), wp.min(wp.max(up, down), here))


@wp.kernel
def morphology(
    brightness: wp.array2d(dtype=wp.float32),
    weights: wp.array(dtype=wp.float32),
    targets: wp.array2d(dtype=wp.float32),
    rows: int,
    cols: int,
    shaped_values: wp.array2d(dtype=wp.float32),
):
    """Median of three values along the first axis. The grid is periodic. The shaped value goes
    through a square root. The target is subtracted from the result."""
    linear = wp.tid()
    row = linear // cols
    col = linear % cols
    down = brightness[(row + 1) % rows, col]
    here = brightness[row, col]
    up = brightness[(row - 1 + rows) % rows, col]
    shaped = evaluate_shaped(weights[col], up, down, here)
    target = targets[row, col]
    residual = wp.sqrt(shaped) - target
    shaped_values[row, col] = residual


LAUNCH = {
    "morphology": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "medium",
        "dims": ["rows * cols"],
        "parameters": {
            "brightness": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "weights": {"role": "in", "shape": ["cols"], "values": {"uniform": [0.5, 2.0]}},
            "targets": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "shaped_values": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
