"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, potentials, maps, solutions; func_replay for cached work.
"""

import warp as wp


@wp.func
def evaluate_soft_direction(v: wp.vec2):
    """Direction of a vector, shorter near zero."""
    return v / wp.sqrt(wp.dot(v, v) + 0.19)


@wp.func_grad(evaluate_soft_direction)
def adj_evaluate_soft_direction(v: wp.vec2, adj_ret: wp.vec2):
    """Gradient of evaluate_soft_direction."""
    length = wp.sqrt(wp.dot(v, v) + 0.19)
    n = v / length
    wp.adjoint[v] += (adj_ret - wp.dot(adj_ret, n) * n) / length


@wp.kernel
def vector_fields(
    order: wp.array(dtype=wp.int32),
    headings: wp.array(dtype=wp.vec2),
    previous: wp.array(dtype=wp.vec2),
    blend: float,
    mapped_vectors: wp.array(dtype=wp.vec2),
):
    """For each element, a direction of a vector, shorter near zero, with its own gradient. Thread
    tid stores its result at order[tid]. The previous value is subtracted from the mapped vector.
    The stored value moves towards the result by the factor blend."""
    tid = wp.tid()
    heading = headings[tid]
    i = order[tid]
    mapped = evaluate_soft_direction(heading)
    old_mapped_vector = mapped_vectors[i]
    previous_value = previous[tid]
    mapped_vectors[i] = old_mapped_vector + blend * (mapped - previous_value - old_mapped_vector)


LAUNCH = {
    "vector_fields": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "order": {"role": "in", "shape": ["n"], "values": {"permutation": "n"}},
            "headings": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "previous": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "blend": {"values": {"uniform": [0.05, 0.6]}},
            "mapped_vectors": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
