"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def compute_logistic_confidence(
    features: wp.array2d(dtype=wp.float32),
    centroids: wp.array2d(dtype=wp.float32),
    cluster_weights: wp.array(dtype=wp.float32),
    count: int,
    num_features: int,
    bias: float,
    max_confidence: wp.array(dtype=wp.float32),
):
    """Finds the largest confidence of all rows by logistic regression, a block at a time. The value
    is computed under a network of radial basis functions."""
    block, lane = wp.tid()
    i = block * 256 + lane
    confidence = float(-1000000.0)
    if i < count:
        dot_product = float(0.0)
        for c in range(8):
            square = float(0.0)
            for j in range(num_features):
                gap = features[i, j] - centroids[c, j]
                square += gap * gap
            dot_product += cluster_weights[c] * wp.exp(-0.05 * square)
        confidence = 1.0 / (1.0 + wp.exp(wp.clamp(-(dot_product + bias), -20.0, 20.0)))
    block_max = wp.tile_max(wp.tile(confidence))
    if lane == 0:
        wp.atomic_max(max_confidence, 0, block_max[0])


LAUNCH = {
    "compute_logistic_confidence": {
        "sizes": {"features": "8", "clusters": "8"},
        "difficulty": "expert",
        "dims": ["(n + 255) // 256"],
        "block_dim": 256,
        "parameters": {
            "features": {"role": "in", "shape": ["n", "features"], "values": {"uniform": [-2.0, 2.0]}},
            "centroids": {"role": "in", "shape": ["clusters", "features"], "values": {"uniform": [-2.0, 2.0]}},
            "cluster_weights": {"role": "in", "shape": ["clusters"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "num_features": {"values": {"size": "features"}},
            "bias": {"values": {"uniform": [-1.0, 1.0]}},
            "max_confidence": {"role": "inout", "shape": ["1"], "values": {"constant": -1000000.0}},
        },
    },
}
