"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials, fits and solutions.
"""

import warp as wp


@wp.func
def log_cosh_slope(residual: float):
    """Derivative of the log-cosh loss."""
    return wp.tanh(residual)


@wp.func
def log_cosh(residual: float):
    """The log-cosh loss."""
    return wp.abs(residual) + wp.log(0.5 + 0.5 * wp.exp(-2.0 * wp.abs(residual)))


@wp.func_grad(log_cosh)
def adj_log_cosh(residual: float, adj_ret: float):
    """Adjoint of the log-cosh loss, by log_cosh_slope."""
    wp.adjoint[residual] += adj_ret * log_cosh_slope(residual)


@wp.func
def scaled_tanh_slope(x: float):
    """Derivative of the hyperbolic tangent."""
    value = wp.tanh(x)
    return 1.0 - value * value


@wp.func
def scaled_tanh(x: float):
    """The hyperbolic tangent."""
    return wp.tanh(x)


@wp.func_grad(scaled_tanh)
def adj_scaled_tanh(x: float, adj_ret: float):
    """Adjoint of the hyperbolic tangent, by scaled_tanh_slope."""
    wp.adjoint[x] += adj_ret * scaled_tanh_slope(x)


@wp.kernel
def scaled_tanh_neuron(
    features: wp.array2d(dtype=wp.float32),
    weights: wp.array(dtype=wp.float32),
    targets: wp.array(dtype=wp.float32),
    sample_weights: wp.array(dtype=wp.float32),
    bias: float,
    num_features: int,
    losses: wp.array(dtype=wp.float32),
    weight_gradients: wp.array(dtype=wp.float32),
):
    """Train a neuron with an output between -1 and 1: compute the log-cosh loss of each weighted
    error, and add up the gradient with respect to the weights."""
    sample = wp.tid()
    score = bias
    for j in range(num_features):
        score += weights[j] * features[j, sample]
    residual = scaled_tanh(score) - targets[sample]
    weight = sample_weights[sample]
    loss = weight * log_cosh(residual)
    delta = weight * (log_cosh_slope(residual) * scaled_tanh_slope(score))
    losses[sample] = loss
    for j in range(num_features):
        wp.atomic_add(weight_gradients, j, delta * features[j, sample])


LAUNCH = {
    "scaled_tanh_neuron": {
        "sizes": {"features": "16", "units": "8"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "features": {"role": "in", "shape": ["features", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["features"], "values": {"uniform": [-0.8, 0.8]}},
            "targets": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "sample_weights": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 1.0]}},
            "bias": {"values": {"uniform": [-0.5, 0.5]}},
            "num_features": {"values": {"size": "features"}},
            "losses": {"role": "out", "shape": ["n"]},
            "weight_gradients": {"role": "inout", "shape": ["features"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "scaled_tanh_neuron": {"goal": "programs.train_network", "formulas": ["laws.log_cosh", "laws.scaled_tanh"]},
}
