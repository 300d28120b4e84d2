"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials, fits and solutions.
"""

import warp as wp


SCALE = wp.constant(1.1)


@wp.func
def welsch_slope(residual: float):
    """Derivative of Welsch's loss."""
    ratio = residual / SCALE
    return residual * wp.exp(-(ratio * ratio))


@wp.func
def welsch(residual: float):
    """Welsch's loss."""
    ratio = residual / SCALE
    return 0.5 * SCALE * SCALE * (1.0 - wp.exp(-(ratio * ratio)))


@wp.func_grad(welsch)
def adj_welsch(residual: float, adj_ret: float):
    """Adjoint of Welsch's loss, by welsch_slope."""
    wp.adjoint[residual] += adj_ret * welsch_slope(residual)


@wp.func
def gelu_slope(x: float):
    """Derivative of GELU."""
    return 0.5 * (1.0 + wp.erf(0.70710678 * x)) + 0.39894228 * x * wp.exp(-0.5 * (x * x))


@wp.func
def gelu(x: float):
    """GELU."""
    return 0.5 * x * (1.0 + wp.erf(0.70710678 * x))


@wp.func_grad(gelu)
def adj_gelu(x: float, adj_ret: float):
    """Adjoint of GELU, by gelu_slope."""
    wp.adjoint[x] += adj_ret * gelu_slope(x)


@wp.kernel
def gelu_neuron_welsch(
    features: wp.array2d(dtype=wp.float32),
    weights: wp.array(dtype=wp.float32),
    targets: wp.array(dtype=wp.float32),
    bias: float,
    num_features: int,
    total_loss: wp.array(dtype=wp.float32),
    weight_gradients: wp.array(dtype=wp.float32),
):
    """Add Welsch's loss of GELU of each output to a total, and add up the gradient with respect to
    the weights."""
    i = wp.tid()
    score = bias
    for j in range(num_features):
        score += weights[j] * features[i, j]
    residual = gelu(score) - targets[i]
    loss = welsch(residual)
    delta = welsch_slope(residual) * gelu_slope(score)
    wp.atomic_add(total_loss, 0, loss)
    for j in range(num_features):
        wp.atomic_add(weight_gradients, j, delta * features[i, j])


LAUNCH = {
    "gelu_neuron_welsch": {
        "sizes": {"features": "4", "units": "6"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "features": {"role": "in", "shape": ["n", "features"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["features"], "values": {"uniform": [-0.8, 0.8]}},
            "targets": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "bias": {"values": {"uniform": [-0.5, 0.5]}},
            "num_features": {"values": {"size": "features"}},
            "total_loss": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
            "weight_gradients": {"role": "inout", "shape": ["features"], "values": {"constant": 0.0}},
        },
    },
}
