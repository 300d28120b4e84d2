"""Kernels of the category function, seed 0.

Functions of one's own: nested, generic, overloaded, with several results, defaults and early returns.
"""

import warp as wp


@wp.func
def damp_of(m: wp.mat22):
    """A matrix, drawn towards zero."""
    return 0.65 * m / (1.0 + wp.abs(wp.trace(m)))


@wp.func
def damp_of(x: float):
    """A number, drawn towards zero."""
    return 0.65 * x / (1.0 + wp.abs(x))


@wp.kernel
def overloads(
    tensors: wp.array(dtype=wp.mat22),
    numbers: wp.array(dtype=wp.float32),
    measures: wp.array(dtype=wp.float32),
):
    """Combines 2 overloads of one function, damp."""
    i = wp.tid()
    tensor = tensors[i]
    measure = 1.3 * wp.trace(damp_of(tensor)) - 0.2 * damp_of(numbers[i])
    measures[i] = measure


LAUNCH = {
    "overloads": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "tensors": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "numbers": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "measures": {"role": "out", "shape": ["n"]},
        },
    },
}
