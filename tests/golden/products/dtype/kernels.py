"""Kernels of the category dtype, seed 0.

Number formats: halves, bits of floats, 8-bit codes, fixed point, wide integers, precise sums.
"""

import warp as wp


@wp.func
def l1_regularized_gradient(raw_gradient: float, weight: float, l1_strength: float):
    """Gradient with a subgradient of an L1 penalty."""
    gradient = float(0.0)
    if weight > 0.0:
        gradient = raw_gradient + l1_strength
    elif weight < 0.0:
        gradient = raw_gradient - l1_strength
    else:
        gradient = raw_gradient
    return gradient


@wp.kernel
def compute_lion_update(
    first_moments: wp.array(dtype=wp.float16),
    raw_gradients: wp.array(dtype=wp.float16),
    weights: wp.array(dtype=wp.float16),
    l1_strength: float,
    beta1: float,
    updates: wp.array(dtype=wp.float16),
):
    """Compute the update of each weight by Lion, from the sign of the interpolated momentum. The
    gradient is computed with a subgradient of an L1 penalty. Numbers are stored in half precision
    and computed with in single."""
    i = wp.tid()
    first_moment = float(first_moments[i])
    raw_gradient = float(raw_gradients[i])
    weight = float(weights[i])
    gradient = l1_regularized_gradient(raw_gradient, weight, l1_strength)
    mixed = beta1 * first_moment + (1.0 - beta1) * gradient
    update = float(0.0)
    if mixed > 0.0:
        update = 1.0
    elif mixed < 0.0:
        update = -1.0
    updates[i] = wp.float16(update)


LAUNCH = {
    "compute_lion_update": {
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "first_moments": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "raw_gradients": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "weights": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "l1_strength": {"values": {"uniform": [0.001, 0.1]}},
            "beta1": {"values": {"uniform": [0.8, 0.95]}},
            "updates": {"role": "out", "shape": ["n"]},
        },
    },
}
