"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, fixed point, wide integers, precise sums.
"""

import warp as wp


WEIGHT_DECAY = wp.constant(0.09)


@wp.func
def norm_clipped_gradient(raw_gradient: float, gradient_norm: float, max_norm: float):
    """Clip the gradient by global norm."""
    return wp.where(
        gradient_norm > max_norm, raw_gradient * (max_norm / gradient_norm), raw_gradient
    )


@wp.kernel
def lars_update(
    raw_gradients: wp.array(dtype=wp.float16),
    weights: wp.array(dtype=wp.float16),
    gradient_norm: float,
    max_norm: float,
    weight_norm: float,
    updates: wp.array(dtype=wp.float16),
):
    """LARS update of each weight. Half-precision storage, single-precision arithmetic."""
    i = wp.tid()
    gradient = norm_clipped_gradient(float(raw_gradients[i]), gradient_norm, max_norm)
    trust_ratio = weight_norm / (gradient_norm + WEIGHT_DECAY * weight_norm)
    updates[i] = wp.float16(trust_ratio * (gradient + WEIGHT_DECAY * float(weights[i])))


LAUNCH = {
    "lars_update": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "raw_gradients": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "weights": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "gradient_norm": {"values": {"uniform": [0.5, 3.0]}},
            "max_norm": {"values": {"uniform": [1.0, 2.0]}},
            "weight_norm": {"values": {"uniform": [0.5, 3.0]}},
            "updates": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "lars_update": {"goal": "training.trusted_update", "ending": "per_element", "formulas": ["training.trusted_update", "training.norm_clipped_gradient"]},
}
