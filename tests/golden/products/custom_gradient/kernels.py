"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, potentials, maps, solutions; func_replay for cached work.
"""

import warp as wp


@wp.func
def evaluate_squash(v: wp.vec2):
    """Vector that is the more shortened, the longer it is."""
    return v / (1.0 + wp.dot(v, v))


@wp.func_grad(evaluate_squash)
def adj_evaluate_squash(v: wp.vec2, adj_ret: wp.vec2):
    """Gradient of evaluate_squash."""
    total = 1.0 + wp.dot(v, v)
    along = 2.0 * wp.dot(adj_ret, v) / total
    wp.adjoint[v] += (adj_ret - along * v) / total


@wp.kernel
def vector_fields(headings: wp.array(dtype=wp.vec2), mapped_vectors: wp.array(dtype=wp.vec2)):
    """For each element, a vector that is the more shortened, the longer it is, with its own
    gradient."""
    i = wp.tid()
    heading = headings[i]
    mapped = evaluate_squash(heading)
    mapped_vectors[i] = mapped


LAUNCH = {
    "vector_fields": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "headings": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "mapped_vectors": {"role": "out", "shape": ["n"]},
        },
    },
}
