"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials, fits and solutions.
"""

import warp as wp


EPSILON = wp.constant(1.0e-2)


@wp.func
def safe_norm_slope(x: wp.vec3):
    """Gradient of safe_norm, which is bounded at zero."""
    return x / wp.max(wp.length(x), EPSILON)


@wp.func
def safe_norm(x: wp.vec3):
    """Euclidean length."""
    return wp.length(x)


@wp.func_grad(safe_norm)
def adj_safe_norm(x: wp.vec3, adj_ret: float):
    """Adjoint of safe_norm, finite at zero."""
    wp.adjoint[x] += adj_ret * safe_norm_slope(x)


@wp.kernel
def point_distance_loss(
    points: wp.array(dtype=wp.vec3),
    references: wp.array(dtype=wp.vec3),
    weights: wp.array(dtype=float),
    losses: wp.array(dtype=float),
    gradients: wp.array(dtype=wp.vec3),
):
    """Distance of each point, weighted, and its gradient, which stays finite where both agree."""
    i = wp.tid()
    residual = points[i] - references[i]
    losses[i] = weights[i] * safe_norm(residual)
    gradients[i] = weights[i] * safe_norm_slope(residual)


LAUNCH = {
    "point_distance_loss": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "references": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "losses": {"role": "out", "shape": ["n"]},
            "gradients": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "point_distance_loss": {"goal": "custom_gradient.safe_norm", "ending": "written", "formulas": []},
}
