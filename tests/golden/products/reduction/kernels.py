"""Kernels of the category reduction, seed 0.

Reductions: totals by blocks, strides and atomics, rows by blocks, extremes with places, moments.
"""

import warp as wp


@wp.kernel
def mean_loss(
    predictions: wp.array2d(dtype=wp.float64),
    targets: wp.array2d(dtype=wp.float64),
    mean_losses: wp.array(dtype=wp.float64),
    loss_variances: wp.array(dtype=wp.float64),
    num_samples: int,
    knee: wp.float64,
):
    """Compute the mean and the variance of the loss of all samples of each ensemble, by the
    epsilon-insensitive function of the residual. A block of 64 threads reduces each ensemble, by
    Welford's method."""
    ensemble, thread = wp.tid()
    seen = wp.float64(0.0)
    mean = wp.float64(0.0)
    spread = wp.float64(0.0)
    for i in range(thread, num_samples, 64):
        prediction = predictions[ensemble, i]
        target = targets[ensemble, i]
        residual = prediction - target
        loss = wp.max(wp.abs(residual) - knee, wp.float64(0.0))
        seen += wp.float64(1.0)
        delta = loss - mean
        mean += delta / seen
        spread += delta * (loss - mean)
    ensemble_mean = wp.tile_sum(wp.tile(seen * mean))[0] / wp.float64(num_samples)
    shift = mean - ensemble_mean
    ensemble_variance = (
        wp.tile_sum(wp.tile(spread + seen * shift * shift))[0] / wp.float64(num_samples)
    )
    if thread == 0:
        mean_losses[ensemble] = ensemble_mean
        loss_variances[ensemble] = ensemble_variance


LAUNCH = {
    "mean_loss": {
        "sizes": {"ensembles": "min(n, 150)", "samples": "min(n // 2 + 64, 236)"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["ensembles"],
        "block_dim": 64,
        "parameters": {
            "predictions": {"role": "in", "shape": ["ensembles", "samples"], "values": {"uniform": [-2.0, 2.0]}},
            "targets": {"role": "in", "shape": ["ensembles", "samples"], "values": {"uniform": [-2.0, 2.0]}},
            "mean_losses": {"role": "out", "shape": ["ensembles"]},
            "loss_variances": {"role": "out", "shape": ["ensembles"]},
            "num_samples": {"values": {"size": "samples"}},
            "knee": {"values": {"uniform": [0.3, 0.9]}},
        },
    },
}

MADE_OF = {
    "mean_loss": {"goal": "neural.insensitive_loss", "ending": "moments_of_batches", "formulas": ["neural.insensitive_loss", "neural.prediction_residual"]},
}
