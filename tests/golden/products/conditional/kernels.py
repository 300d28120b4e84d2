"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def compute_leading_zero_rank(
    x_cells: wp.array(dtype=wp.int32),
    y_cells: wp.array(dtype=wp.int32),
    count: int,
    num_threads: int,
    max_register_rank: wp.array(dtype=wp.int32),
):
    """Maximum of the HyperLogLog register rank over all keys. Uses the Szudzik pairing of two cell
    coordinates."""
    tid = wp.tid()
    for idx in range(tid, count, num_threads):
        cell_x = x_cells[idx]
        cell_y = y_cells[idx]
        low = wp.min(cell_x, cell_y)
        high = wp.max(cell_x, cell_y)
        mixed = wp.uint32(high * high + (low if cell_x < cell_y else high + low))
        mixed = (mixed ^ (mixed >> wp.uint32(16))) * wp.uint32(0x85EBCA6B)
        mixed = (mixed ^ (mixed >> wp.uint32(13))) * wp.uint32(0xC2B2AE35)
        hashed = mixed ^ (mixed >> wp.uint32(16))
        rest = (hashed << wp.uint32(6)) | wp.uint32(32)
        register_rank = int(1)
        while (rest >> wp.uint32(31)) == wp.uint32(0):
            rest = rest << wp.uint32(1)
            register_rank += 1
        wp.atomic_max(max_register_rank, 0, register_rank)


LAUNCH = {
    "compute_leading_zero_rank": {
        "sizes": {"threads": "(n + 7) // 8"},
        "difficulty": "hard",
        "dims": ["threads"],
        "parameters": {
            "x_cells": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4001]}},
            "y_cells": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4001]}},
            "count": {"values": {"size": "n"}},
            "num_threads": {"values": {"size": "threads"}},
            "max_register_rank": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}

MADE_OF = {
    "compute_leading_zero_rank": {"goal": "hashing.leading_zero_rank", "ending": "largest", "formulas": ["hashing.leading_zero_rank", "hashing.murmur_hash", "hashing.paired_key"]},
}
