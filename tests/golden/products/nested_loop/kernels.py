"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def compute_spectral_centroid(
    signal: wp.array2d(dtype=wp.float32),
    spectral_centroids: wp.array(dtype=wp.float32),
    num_bands: int,
    num_samples: int,
):
    """Compute the spectral centroid of each frame over low bands."""
    frame = wp.tid()
    power_sum = float(0.001)
    moment = float(0.0)
    for band in range(1, num_bands):
        cosine_part = float(0.0)
        sine_part = float(0.0)
        for j in range(num_samples):
            angle = 6.2831853 * float(band * j) / float(num_samples)
            cosine_part += signal[frame, j] * wp.cos(angle)
            sine_part += signal[frame, j] * wp.sin(angle)
        power = cosine_part * cosine_part + sine_part * sine_part
        power_sum += power
        moment += float(band) * power
    spectral_centroids[frame] = moment / power_sum


LAUNCH = {
    "compute_spectral_centroid": {
        "sizes": {"samples": "48", "bands": "8"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "signal": {"role": "in", "shape": ["n", "samples"], "values": {"uniform": [-1.0, 1.0]}},
            "spectral_centroids": {"role": "out", "shape": ["n"]},
            "num_bands": {"values": {"size": "bands"}},
            "num_samples": {"values": {"size": "samples"}},
        },
    },
}
