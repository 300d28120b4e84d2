"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def backward_maxout(
    first: wp.array2d(dtype=float),
    second: wp.array2d(dtype=float),
    dy: wp.array2d(dtype=float),
    parts: int,
    first_grad: wp.array2d(dtype=float),
    second_grad: wp.array2d(dtype=float),
    first_bias_grad: wp.array(dtype=float),
    second_bias_grad: wp.array(dtype=float),
):
    """Backpropagate through a maxout layer of two pieces: the gradient goes to the larger one, or
    to the first of equals. The gradients of both biases are added to first_bias_grad and
    second_bias_grad in the same pass: a thread takes every parts-th row of a column."""
    part, col = wp.tid()
    first_total = float(0.0)
    second_total = float(0.0)
    for row in range(part, first.shape[0], parts):
        grad = dy[row, col]
        if first[row, col] >= second[row, col]:
            first_grad[row, col] = grad
            second_grad[row, col] = 0.0
            first_total += grad
        else:
            first_grad[row, col] = 0.0
            second_grad[row, col] = grad
            second_total += grad
    wp.atomic_add(first_bias_grad, col, first_total)
    wp.atomic_add(second_bias_grad, col, second_total)


LAUNCH = {
    "backward_maxout": {
        "sizes": {"rows": "(n + 31) // 32 + 1", "cols": "128", "parts": "8"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["parts", "cols"],
        "parameters": {
            "first": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "second": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "dy": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.5, 1.0]}},
            "parts": {"values": {"size": "parts"}},
            "first_grad": {"role": "out", "shape": ["rows", "cols"]},
            "second_grad": {"role": "out", "shape": ["rows", "cols"]},
            "first_bias_grad": {"role": "inout", "shape": ["cols"], "values": {"constant": 0.0}},
            "second_bias_grad": {"role": "inout", "shape": ["cols"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "backward_maxout": {"goal": "conditional.activation_backward", "ending": "written", "formulas": []},
}
