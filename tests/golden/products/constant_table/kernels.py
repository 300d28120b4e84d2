"""Kernels of the category constant_table, seed 0.

Constant memory: calendars, genes, contour cases, bodies, balls, lattices, centers, codes, curves.
"""

import warp as wp


@wp.kernel
def rational_similarity_kernel(
    features: wp.array2d(dtype=wp.float32),
    means: wp.array(dtype=wp.float32),
    whitening: wp.array2d(dtype=wp.float32),
    num_features: int,
    half_distance: float,
    similarities: wp.array(dtype=wp.float32),
):
    """Compute the similarity of each row as a rational function of the distance. The distance is
    computed to a shared mean after whitening."""
    i = wp.tid()
    total = float(0.0)
    for j in range(num_features):
        whitened = float(0.0)
        for m in range(num_features):
            whitened += whitening[j, m] * (features[m, i] - means[m])
        total += whitened * whitened
    distance = wp.sqrt(total)
    similarity = half_distance / (half_distance + distance)
    similarities[i] = similarity


LAUNCH = {
    "rational_similarity_kernel": {
        "sizes": {"features": "16"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "features": {"role": "in", "shape": ["features", "n"], "values": {"uniform": [-2.0, 2.0]}},
            "means": {"role": "in", "shape": ["16"], "memory": "constant", "values": {"uniform": [-0.5, 0.5]}},
            "whitening": {"role": "in", "shape": ["16", "16"], "memory": "constant", "values": {"uniform": [-0.5, 0.5]}},
            "num_features": {"values": {"size": "features"}},
            "half_distance": {"values": {"uniform": [0.5, 2.0]}},
            "similarities": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "rational_similarity_kernel": {"goal": "rows.rational_similarity", "ending": "per_element", "formulas": ["rows.rational_similarity", "rows.mahalanobis_distance"]},
}
