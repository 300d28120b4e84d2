"""Kernels of the category function, seed 0.

Functions of one's own: nested, generic, overloaded, with several results, defaults and early returns.
"""

import warp as wp


@wp.func
def energy_of(v: wp.vec3):
    """Half the square of a vector."""
    return 0.5 * wp.dot(v, v)


@wp.func
def energy_of(x: float):
    """Half the square of a number."""
    return 0.5 * x * x


@wp.kernel
def overloads(
    directions: wp.array2d(dtype=wp.vec3),
    numbers: wp.array2d(dtype=wp.float32),
    measures: wp.array2d(dtype=wp.float32),
    height: int,
):
    """Combines 2 overloads of one function, energy."""
    cell = wp.tid()
    x = cell // height
    y = cell % height
    number = numbers[y, x]
    measures[y, x] = 1.5 * energy_of(directions[y, x]) * (1.5 + 1.6 * energy_of(number))


LAUNCH = {
    "overloads": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "medium",
        "dims": ["height * width"],
        "parameters": {
            "directions": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "numbers": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "measures": {"role": "out", "shape": ["height", "width"]},
            "height": {"values": {"size": "height"}},
        },
    },
}
