"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials, fits and solutions.
"""

import warp as wp


@wp.func
def passed_back(adjoint: float, strength: float):
    """What reverse_gradient passes back for an adjoint."""
    return -strength * adjoint


@wp.func
def reverse_gradient(x: float, strength: float):
    """Identity, with another gradient."""
    return x


@wp.func_grad(reverse_gradient)
def adj_reverse_gradient(x: float, strength: float, adj_ret: float):
    """Adjoint of reverse_gradient: with the sign reversed."""
    wp.adjoint[x] += passed_back(adj_ret, strength)


@wp.kernel
def domain_adversarial_gradient(
    features: wp.array2d(dtype=float),
    weights: wp.array(dtype=float),
    targets: wp.array(dtype=float),
    strength: float,
    width: int,
    losses: wp.array(dtype=float),
    feature_gradients: wp.array2d(dtype=float),
    weight_gradients: wp.array(dtype=float),
):
    """Squared error of a log-linear unit behind reverse_gradient, and the gradients that it lets
    through."""
    sample = wp.tid()
    activation = float(0.0)
    for k in range(width):
        activation += weights[k] * features[sample, k]
    output = wp.exp(reverse_gradient(activation, strength))
    error = output - targets[sample]
    adjoint = error * output
    losses[sample] = 0.5 * error * error
    slope = passed_back(adjoint, strength)
    for k in range(width):
        feature_gradients[sample, k] = slope * weights[k]
        wp.atomic_add(weight_gradients, k, slope * features[sample, k])


LAUNCH = {
    "domain_adversarial_gradient": {
        "sizes": {"samples": "(n + 63) // 64 + 2", "width": "48"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["samples"],
        "parameters": {
            "features": {"role": "in", "shape": ["samples", "width"], "values": {"uniform": [-0.5, 0.5]}},
            "weights": {"role": "in", "shape": ["width"], "values": {"uniform": [-0.5, 0.5]}},
            "targets": {"role": "in", "shape": ["samples"], "values": {"uniform": [0.5, 1.5]}},
            "strength": {"values": {"uniform": [0.1, 1.0]}},
            "width": {"values": {"size": "width"}},
            "losses": {"role": "out", "shape": ["samples"]},
            "feature_gradients": {"role": "out", "shape": ["samples", "width"]},
            "weight_gradients": {"role": "inout", "shape": ["width"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "domain_adversarial_gradient": {"goal": "custom_gradient.clipped_gradient", "ending": "written", "formulas": []},
}
