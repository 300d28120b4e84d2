"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, checksums.
"""

import warp as wp


@wp.func
def west(cells: wp.array2d(dtype=wp.uint32), y: int, w: int, num_words: int):
    """Return the left neighbors of the 32 cells of a word; rows are periodic, and bit 0 is the
    leftmost cell."""
    before = cells[y, (w + num_words - 1) % num_words]
    return (cells[y, w] << wp.uint32(1)) | (before >> wp.uint32(31))


@wp.func
def east(cells: wp.array2d(dtype=wp.uint32), y: int, w: int, num_words: int):
    """Return the right neighbors of the 32 cells of a word."""
    after = cells[y, (w + 1) % num_words]
    return (cells[y, w] >> wp.uint32(1)) | (after << wp.uint32(31))


@wp.kernel
def advance(
    cells: wp.array2d(dtype=wp.uint32),
    num_words: int,
    next_cells: wp.array2d(dtype=wp.uint32),
):
    """Advance Conway's Life (B3/S23) by a generation for 32 cells at once: bitwise full adders
    count the neighbors in bit planes."""
    y, w = wp.tid()
    height = cells.shape[0]
    ones = wp.uint32(0)
    twos = wp.uint32(0)
    fours = wp.uint32(0)
    for k in range(3):
        row = (y + height - 1 + k) % height
        left = west(cells, row, w, num_words)
        right = east(cells, row, w, num_words)
        # The cell itself is no neighbor.
        middle = wp.where(k == 1, wp.uint32(0), cells[row, w])
        low = left ^ middle ^ right
        high = (left & middle) | (right & (left ^ middle))
        carry = ones & low
        ones = ones ^ low
        fours = fours ^ ((twos & high) | (carry & (twos ^ high)))
        twos = twos ^ high ^ carry
    alive = cells[y, w]
    two = twos & ~ones & ~fours
    three = twos & ones & ~fours
    next_cells[y, w] = three | (alive & two)


LAUNCH = {
    "bitwise_life": {
        "description": "Advance Conway's Game of Life by eight generations, with 32 cells packed into a word and periodic borders.",
        "sizes": {"rows": "(n + 31) // 32 + 4"},
        "difficulty": "expert",
        "steps": [
            {"repeat": 4, "steps": [
                {"kernel": "advance", "dims": ["rows", "8"], "arguments": {}},
                {"kernel": "advance", "dims": ["rows", "8"], "arguments": {"cells": "next_cells", "next_cells": "cells"}},
            ]},
        ],
        "parameters": {
            "cells": {"role": "inout", "shape": ["rows", "8"], "values": {"integers": [0, 4294967295]}},
            "num_words": {"values": {"size": "8"}},
            "next_cells": {"role": "out", "shape": ["rows", "8"]},
        },
    },
}

MADE_OF = {
    "bitwise_life": {"goal": "integer_bits.bitboards", "ending": "written", "formulas": []},
}

PARTS = ["advance"]
