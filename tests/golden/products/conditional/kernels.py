"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def huber_loss(
    predictions: wp.array2d(dtype=wp.float32),
    labels: wp.array2d(dtype=wp.float32),
    deltas: wp.array(dtype=wp.float32),
    factors: wp.array2d(dtype=wp.float32),
    rows: int,
    cols: int,
    loss_totals: wp.array2d(dtype=wp.float32),
):
    """Huber loss of each prediction. The prediction is the mean of an element and the one before
    it. The loss is multiplied by factors[row, col]. The result is subtracted from a running
    total."""
    tile_row, tile_col, drow, dcol = wp.tid()
    row = tile_row * 4 + drow
    col = tile_col * 8 + dcol
    if row >= rows or col >= cols:
        return
    smooth_prediction = 0.5 * (predictions[row, wp.max(col - 1, 0)] + predictions[row, col])
    label = labels[row, col]
    error = smooth_prediction - label
    size = wp.abs(error)
    huber = 0.5 * error * error / deltas[row] if size < deltas[row] else size - 0.5 * deltas[row]
    loss_totals[row, col] -= huber * factors[row, col]


LAUNCH = {
    "huber_loss": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "hard",
        "dims": ["(rows + 3) // 4", "(cols + 7) // 8", "4", "8"],
        "parameters": {
            "predictions": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "labels": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "deltas": {"role": "in", "shape": ["rows"], "values": {"uniform": [0.4, 1.2]}},
            "factors": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.2, 5.0]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "loss_totals": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
