"""Kernels of the category histogram, seed 0.

Histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts.
"""

import warp as wp


@wp.struct
class MergedCopiesModel:
    """The settings' part for the model."""

    scale: float


@wp.struct
class MergedCopiesParams:
    """Settings that all threads share."""

    model: MergedCopiesModel


@wp.kernel
def merged_copies(
    mask: wp.array(dtype=wp.int32),
    partial_counts: wp.array2d(dtype=wp.float32),
    measurements: wp.array(dtype=wp.float32),
    params: MergedCopiesParams,
    fullest_copies: wp.array(dtype=wp.float32),
    merged_counts: wp.array(dtype=wp.float32),
):
    """Counts of each bin, merged from 4 copies of a histogram. Elements outside the mask are
    skipped. Counts below 3 are noise and left out. The largest single count is stored as well.
    Every fourth element of measurements, from number 1 on, is a measurement. The squared difference
    between the merged count and the measurement is taken. The result is multiplied by
    params.model.scale."""
    i = wp.tid()
    if mask[i] == 0:
        return
    total = float(0.0)
    fullest = float(0.0)
    for c in range(4):
        count = partial_counts[c, i]
        if count >= 3.0:
            total += count
        fullest = wp.max(fullest, count)
    fullest_copies[i] = fullest
    measurement = measurements[i * 4 + 1]
    residual = total - measurement
    merged_count = residual * residual * params.model.scale
    merged_counts[i] = merged_count


LAUNCH = {
    "merged_copies": {
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "partial_counts": {"role": "in", "shape": ["4", "n"], "values": {"integers": [0, 40]}},
            "measurements": {"role": "in", "shape": ["4 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "params": {"values": {"members": {"model": {"members": {"scale": {"uniform": [0.2, 5.0]}}}}}},
            "fullest_copies": {"role": "out", "shape": ["n"]},
            "merged_counts": {"role": "out", "shape": ["n"]},
        },
    },
}
