"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


BITS = wp.constant(8)


@wp.func
def hilbert_point(index: int):
    """Return the cell (x, y) at a position of the Hilbert curve, built from the finest level to the
    coarsest."""
    x = int(0)
    y = int(0)
    rest = index
    for level in range(BITS):
        side = 1 << level
        right = (rest >> 1) & 1
        upper = (rest ^ right) & 1
        if upper == 0:
            if right == 1:
                x = side - 1 - x
                y = side - 1 - y
            swapped = x
            x = y
            y = swapped
        x += side * right
        y += side * upper
        rest = rest >> 2
    return wp.vec2i(x, y)


@wp.kernel
def hilbert_decode(
    indices: wp.array(dtype=int),
    cells: wp.array(dtype=wp.vec2i),
    jumps: wp.array(dtype=int),
):
    """Find the cells at given positions of the Hilbert curve of order 8, and the Manhattan distance
    from each to the next cell of the curve."""
    i = wp.tid()
    cell = hilbert_point(indices[i])
    following = hilbert_point((indices[i] + 1) & ((1 << (2 * BITS)) - 1))
    cells[i] = cell
    jumps[i] = wp.abs(following[0] - cell[0]) + wp.abs(following[1] - cell[1])


LAUNCH = {
    "hilbert_decode": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "indices": {"role": "in", "shape": ["n"], "values": {"integers": [0, 65536]}},
            "cells": {"role": "out", "shape": ["n"]},
            "jumps": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "hilbert_decode": {"goal": "integer_bits.hilbert_curve", "ending": "written", "formulas": []},
}
