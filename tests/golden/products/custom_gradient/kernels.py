"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, potentials, maps, solutions; func_replay for cached work.
"""

import warp as wp


@wp.func
def evaluate_stretch(v: wp.vec2, factor: float):
    """Vector that grows with its own length."""
    return factor * (1.0 + wp.dot(v, v)) * v


@wp.func_grad(evaluate_stretch)
def adj_evaluate_stretch(v: wp.vec2, factor: float, adj_ret: wp.vec2):
    """Gradient of evaluate_stretch."""
    grown = 1.0 + wp.dot(v, v)
    along = wp.dot(adj_ret, v)
    wp.adjoint[v] += factor * (grown * adj_ret + 2.0 * along * v)
    wp.adjoint[factor] += grown * along


@wp.kernel
def vector_fields(
    velocities: wp.array(dtype=wp.vec2),
    axis_hints: wp.array(dtype=wp.vec2),
    component_totals: wp.array(dtype=wp.float32),
):
    """Component along another vector of a vector that grows with its own length, with its own
    gradient. The component is added to a running total."""
    i = wp.tid()
    axis_hint = axis_hints[i]
    velocity = velocities[i]
    mapped = evaluate_stretch(velocity, 1.8)
    component_totals[i] += wp.dot(mapped, axis_hint)


LAUNCH = {
    "vector_fields": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "axis_hints": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "component_totals": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
