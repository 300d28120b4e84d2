"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, fixed point, wide integers, precise sums.
"""

import warp as wp


@wp.kernel
def compute_trusted_update(
    gradients: wp.array(dtype=wp.float16),
    weights: wp.array(dtype=wp.float16),
    weight_norm: float,
    gradient_norm: float,
    weight_decay: float,
    updates: wp.array(dtype=wp.float16),
):
    """Compute the update of each weight with the trust ratio of the layer. Numbers are stored in
    half precision and computed with in single."""
    i = wp.tid()
    gradient = float(gradients[i])
    weight = float(weights[i])
    trust_ratio = weight_norm / (gradient_norm + weight_decay * weight_norm)
    update = trust_ratio * (gradient + weight_decay * weight)
    updates[i] = wp.float16(update)


LAUNCH = {
    "compute_trusted_update": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "gradients": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "weight_norm": {"values": {"uniform": [0.5, 3.0]}},
            "gradient_norm": {"values": {"uniform": [0.5, 3.0]}},
            "weight_decay": {"values": {"uniform": [0.001, 0.1]}},
            "updates": {"role": "out", "shape": ["n"]},
        },
    },
}
