"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials, fits and solutions.
"""

import warp as wp


@wp.func
def pass_through(w: float):
    """Derivative that stands for that of leaky_clamp: one within [-1, 1], a tenth beyond."""
    return wp.where(wp.abs(w) <= 1.0, 1.0, 0.1)


@wp.func
def leaky_clamp(w: float):
    """Clamp to [-1, 1]."""
    return wp.clamp(w, -1.0, 1.0)


@wp.func_grad(leaky_clamp)
def adj_leaky_clamp(w: float, adj_ret: float):
    """Leaky adjoint of leaky_clamp."""
    wp.adjoint[w] += adj_ret * pass_through(w)


@wp.kernel
def clamped_layer(
    inputs: wp.array2d(dtype=float),
    weights: wp.array2d(dtype=float),
    targets: wp.array(dtype=float),
    losses: wp.array(dtype=float),
    gradients: wp.array2d(dtype=float),
):
    """Squared error of linear units with clamped weights, and the leaky gradient with respect to
    the weights."""
    unit = wp.tid()
    output = float(0.0)
    for k in range(weights.shape[1]):
        output += leaky_clamp(weights[unit, k]) * inputs[unit, k]
    error = output - targets[unit]
    losses[unit] = 0.5 * error * error
    for k in range(weights.shape[1]):
        gradients[unit, k] = error * inputs[unit, k] * pass_through(weights[unit, k])


LAUNCH = {
    "clamped_layer": {
        "sizes": {"units": "(n + 31) // 32", "width": "16"},
        "difficulty": "medium",
        "dims": ["units"],
        "parameters": {
            "inputs": {"role": "in", "shape": ["units", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["units", "width"], "values": {"uniform": [-1.5, 1.5]}},
            "targets": {"role": "in", "shape": ["units"], "values": {"uniform": [-1.0, 1.0]}},
            "losses": {"role": "out", "shape": ["units"]},
            "gradients": {"role": "out", "shape": ["units", "width"]},
        },
    },
}

MADE_OF = {
    "clamped_layer": {"goal": "custom_gradient.straight_through", "ending": "written", "formulas": []},
}
