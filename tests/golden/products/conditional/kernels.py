"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def huber_loss(
    active: wp.array(dtype=wp.int32),
    predictions: wp.array(dtype=wp.float32),
    prediction_offsets: wp.array(dtype=wp.float32),
    labels: wp.array(dtype=wp.float32),
    prediction_gain: float,
    losses: wp.array(dtype=wp.float32),
):
    """Huber loss of each prediction. Elements that are not active are skipped."""
    i = wp.tid()
    if active[i] == 0:
        return
    prediction = predictions[i]
    calibrated_prediction = (prediction - prediction_offsets[i]) * prediction_gain
    label = labels[i]
    error = calibrated_prediction - label
    size = wp.abs(error)
    huber = float(0.0)
    if size < 0.4:
        huber = 0.5 * error * error
    else:
        huber = 0.4 * (size - 0.2)
    losses[i] = huber


LAUNCH = {
    "huber_loss": {
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "predictions": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "prediction_offsets": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.2, 0.2]}},
            "labels": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "prediction_gain": {"values": {"uniform": [0.5, 0.95]}},
            "losses": {"role": "out", "shape": ["n"]},
        },
    },
}
