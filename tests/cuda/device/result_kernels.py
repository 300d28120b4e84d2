"""Tuples among the results of functions."""

from typing import Tuple

import warp as wp


@wp.func
def child_of(x: float, levels: int) -> Tuple[int, Tuple[wp.vec3, float, float]]:
    """Returns early, and at the end, both times with a tuple in the second place."""
    low = wp.vec3(0.0)
    width = float(1.0)
    if levels == 0:
        return -1, (low, width, x)
    for level in range(levels):
        width *= 0.5
        low[level % 3] += width
        if low[level % 3] > x:
            return level, (low, width, x - low[0])
    return levels, (low, width, low[1])


@wp.func
def passed_on(x: float, levels: int) -> Tuple[int, Tuple[wp.vec3, float, float]]:
    """Hands the tuple on by its name, its own values changed meanwhile."""
    level, parts = child_of(x, levels)
    level += 1
    return level, parts


@wp.func
def called_last(x: float, levels: int) -> Tuple[int, Tuple[wp.vec3, float, float]]:
    """All results at once."""
    return passed_on(-x, levels)


@wp.kernel
def tuple_among_results(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A part of a tuple counts within it, not among all results."""
    i = wp.tid()
    node, weights = child_of(x[i], k[i])
    out[i, 0] = float(node) + weights[1] * 7.0
    corner = weights[0]
    out[i, 1] = corner[1] - weights[2]
    out[i, 2] = wp.dot(weights[0], wp.vec3(1.0, 2.0, 3.0))
    node, weights = passed_on(x[i], k[i] + 1)
    out[i, 3] = float(node) * weights[2] + wp.length(weights[0])
    level, parts = called_last(x[i], 3)
    out[i, 4] = float(level) + wp.length(parts[0]) * parts[1]


LAUNCHES = {
    "tuple_among_results": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "out": {"role": "out", "shape": ["n", 5]},
        },
    },
}
