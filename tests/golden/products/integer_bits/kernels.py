"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, checksums.
"""

import warp as wp


BITS = wp.constant(8)


@wp.func
def hilbert_point(index: int):
    """Cell at a position of the curve, built from the finest bits to the coarsest."""
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
    """Cells at positions of the Hilbert curve, and how far each lies from the next position's cell
    (1 on the curve)."""
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
