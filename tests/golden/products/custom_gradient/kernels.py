"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials, fits and solutions.
"""

import warp as wp


EPSILON = wp.constant(1.0e-5)


@wp.func
def unit(x: wp.vec3):
    """Vector scaled to length one; a vector shorter than EPSILON is scaled by 1 / EPSILON."""
    return x / wp.max(wp.length(x), EPSILON)


@wp.func
def project_to_tangent(x: wp.vec3, adjoint: wp.vec3):
    """Adjoint of x for an adjoint of unit(x): its part across x, divided by the length."""
    inv = 1.0 / wp.max(wp.length(x), EPSILON)
    u = inv * x
    return inv * (adjoint - wp.dot(u, adjoint) * u)


@wp.func_grad(unit)
def adj_unit(x: wp.vec3, adj_ret: wp.vec3):
    """Adjoint of unit, finite at zero."""
    wp.adjoint[x] += project_to_tangent(x, adj_ret)


@wp.kernel
def cosine_loss(
    normals: wp.array(dtype=wp.vec3),
    true_normals: wp.array(dtype=wp.vec3),
    groups: wp.array(dtype=int),
    margin: float,
    losses: wp.array(dtype=float),
    gradients: wp.array(dtype=wp.vec3),
    group_losses: wp.array(dtype=float),
):
    """Cosine loss between directions of any length, ignored below a margin, and its gradient by the
    vectors before they are normalised; losses are also summed by group."""
    i = wp.tid()
    u = unit(normals[i])
    t = unit(true_normals[i])
    loss = wp.max(1.0 - wp.dot(u, t) - margin, 0.0)
    adjoint = wp.where(loss > 0.0, -1.0, 0.0) * t
    losses[i] = loss
    gradients[i] = project_to_tangent(normals[i], adjoint)
    wp.atomic_add(group_losses, groups[i], loss)


LAUNCH = {
    "cosine_loss": {
        "sizes": {"num_groups": "n // 8 + 4"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "normals": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "true_normals": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "groups": {"role": "in", "shape": ["n"], "values": {"integers": [0, "num_groups"]}},
            "margin": {"values": {"uniform": [0.05, 0.3]}},
            "losses": {"role": "out", "shape": ["n"]},
            "gradients": {"role": "out", "shape": ["n"]},
            "group_losses": {"role": "inout", "shape": ["num_groups"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "cosine_loss": {"goal": "custom_gradient.unit_vector", "ending": "written", "formulas": []},
}
