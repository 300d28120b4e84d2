"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.struct
class CollatzStepsParams:
    """Settings of collatz_steps."""

    scale: float


@wp.kernel
def collatz_steps(
    starts: wp.array2d(dtype=wp.int32),
    params: CollatzStepsParams,
    lengths: wp.array2d(dtype=wp.float32),
):
    """Number of steps of an even-odd iteration, at most 50; scaled to a float."""
    row, col = wp.tid()
    value = starts[row, col]
    steps = int(0)
    while value > 1 and steps < 50:
        if value % 2 == 0:
            value = wp.max(value // 2, 1)
        else:
            value = wp.min((3 * value + 1) // 2, 99999)
        steps = wp.min(steps + 1, 50)
        if value > 1000:
            break
    lengths[row, col] = float(steps) * params.scale


LAUNCH = {
    "collatz_steps": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "dims": ["rows", "cols"],
        "parameters": {
            "starts": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [1, 501]}},
            "params": {"values": {"members": {"scale": {"uniform": [0.01, 0.5]}}}},
            "lengths": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
