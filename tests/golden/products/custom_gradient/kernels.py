"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials and fits.
"""

import warp as wp


WIDTH = wp.constant(256)


@wp.func
def passed_back(adjoint: float, strength: float):
    """Return the adjoint that reverse_gradient passes back: scaled by -strength."""
    return -strength * adjoint


@wp.func
def reverse_gradient(x: float, strength: float):
    """Return x unchanged; only the gradient differs from that of the identity."""
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
    losses: wp.array(dtype=float),
    gradients: wp.array2d(dtype=float),
):
    """Squared error of a log-linear unit behind reverse_gradient, and its reversed gradient with
    respect to the features; a block works on one sample."""
    sample = wp.tid()
    w = wp.tile_load(weights, shape=WIDTH)
    products = wp.tile_map(wp.mul, w, wp.tile_load(features[sample], shape=WIDTH))
    activation = wp.tile_sum(products)
    output = wp.exp(reverse_gradient(activation[0], strength))
    error = output - targets[sample]
    adjoint = error * output
    losses[sample] = 0.5 * error * error
    wp.tile_store(gradients[sample], w * passed_back(adjoint, strength))


LAUNCH = {
    "domain_adversarial_gradient": {
        "sizes": {"samples": "(n + 63) // 64 + 2"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["samples"],
        "block_dim": 256,
        "parameters": {
            "features": {"role": "in", "shape": ["samples", "256"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["256"], "values": {"uniform": [-0.1, 0.1]}},
            "targets": {"role": "in", "shape": ["samples"], "values": {"uniform": [0.5, 1.5]}},
            "strength": {"values": {"uniform": [0.1, 1.0]}},
            "losses": {"role": "out", "shape": ["samples"]},
            "gradients": {"role": "out", "shape": ["samples", "256"]},
        },
    },
}

MADE_OF = {
    "domain_adversarial_gradient": {"goal": "custom_gradient.clipped_gradient", "ending": "written", "formulas": []},
}
