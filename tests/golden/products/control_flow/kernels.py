"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.struct
class EvenOddStepsParams:
    """Settings that all threads share."""

    unit: float


@wp.kernel
def even_odd_steps(
    starts: wp.array2d(dtype=wp.int32),
    params: EvenOddStepsParams,
    lengths: wp.array2d(dtype=wp.float32),
):
    """Number of steps of an even-odd iteration, at most 50. The length is stored as a float,
    multiplied by params.unit."""
    row, col = wp.tid()
    value = starts[row, col]
    steps = int(0)
    while value > 1 and steps < 50:
        if value % 2 == 0:
            value = value // 2
        else:
            value = wp.min((3 * value + 1) // 2, 99999)
        steps += 1
        if value > 1000:
            break
    lengths[row, col] = float(steps) * params.unit


LAUNCH = {
    "even_odd_steps": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "dims": ["rows", "cols"],
        "parameters": {
            "starts": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [1, 501]}},
            "params": {"values": {"members": {"unit": {"uniform": [0.01, 0.5]}}}},
            "lengths": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
