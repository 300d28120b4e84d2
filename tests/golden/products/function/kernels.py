"""Kernels of the category function, seed 0.

Functions of one's own: nested, generic, overloaded, with several results, defaults and early returns.
"""

import warp as wp


@wp.func
def energy_of(m: wp.mat22):
    """Half the squared entries of a matrix."""
    return 0.5 * wp.ddot(m, m)


@wp.func
def energy_of(v: wp.vec2):
    """Half the square of a vector."""
    return 0.5 * wp.dot(v, v)


@wp.func
def energy_of(x: float):
    """Half the square of a number."""
    return 0.5 * x * x


@wp.kernel
def overloads(
    tensors: wp.array(dtype=wp.mat22),
    directions: wp.array(dtype=wp.vec2),
    numbers: wp.array(dtype=wp.float32),
    measures: wp.array(dtype=wp.float32),
):
    """Combines 3 overloads of one function, energy."""
    i = wp.tid()
    tensor = tensors[i]
    measures[i] = (
        1.1 * energy_of(tensor) + 1.5 * energy_of(directions[i]) + 0.2 * energy_of(numbers[i])
    )


LAUNCH = {
    "overloads": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "tensors": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "numbers": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "measures": {"role": "out", "shape": ["n"]},
        },
    },
}
