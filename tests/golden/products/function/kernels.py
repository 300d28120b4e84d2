"""Kernels of the category function, seed 0.

Functions of one's own: nested, generic, overloaded, with several results, defaults and early returns.
"""

import warp as wp


@wp.func
def value_at(values: wp.array(dtype=wp.float32), at: int, length: int):
    """An element, with clamped ends."""
    return values[wp.clamp(at, 0, length - 1)]


@wp.kernel
def array_arguments(
    field: wp.array(dtype=wp.float32),
    count: int,
    results: wp.array(dtype=wp.float32),
):
    """Second difference, 2 to each side, read by a function with clamped ends."""
    cell = wp.tid()
    results[cell] = (
        value_at(field, cell - 2, count)
        - 2.0 * value_at(field, cell, count)
        + value_at(field, cell + 2, count)
    )


LAUNCH = {
    "array_arguments": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "field": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "results": {"role": "out", "shape": ["n"]},
        },
    },
}
