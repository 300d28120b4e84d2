"""Kernels of the category reduction, seed 0.

Reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments.
"""

import warp as wp


@wp.kernel
def mean_eval_insensitive_loss(
    predictions: wp.array2d(dtype=wp.float64),
    targets: wp.array2d(dtype=wp.float64),
    num_samples: int,
    knee: wp.float64,
    mean_losses: wp.array(dtype=wp.float64),
):
    """Mean of the epsilon-insensitive loss per batch. One block of 128 threads per batch."""
    batch, thread = wp.tid()
    own_sum = wp.float64(0.0)
    for sample in range(thread, num_samples, 128):
        prediction = predictions[batch, sample]
        target = targets[batch, sample]
        residual = prediction - target
        loss = wp.max(wp.abs(residual) - knee, wp.float64(0.0))
        own_sum += loss
    batch_mean = wp.tile_sum(wp.tile(own_sum))[0] / wp.float64(num_samples)
    if thread == 0:
        mean_losses[batch] = batch_mean


LAUNCH = {
    "mean_eval_insensitive_loss": {
        "sizes": {"batches": "min(n, 150)", "samples": "min(n // 2 + 128, 445)"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["batches"],
        "block_dim": 128,
        "parameters": {
            "predictions": {"role": "in", "shape": ["batches", "samples"], "values": {"uniform": [-2.0, 2.0]}},
            "targets": {"role": "in", "shape": ["batches", "samples"], "values": {"uniform": [-2.0, 2.0]}},
            "num_samples": {"values": {"size": "samples"}},
            "knee": {"values": {"uniform": [0.3, 0.9]}},
            "mean_losses": {"role": "out", "shape": ["batches"]},
        },
    },
}

MADE_OF = {
    "mean_eval_insensitive_loss": {"goal": "neural.insensitive_loss", "ending": "moments_of_batches", "formulas": ["neural.insensitive_loss", "neural.prediction_residual"]},
}
