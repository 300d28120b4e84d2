"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.struct
class Key:
    """State of one key."""

    cell_x: int
    cell_y: int


@wp.kernel
def key_register_rank(
    keys: wp.array(dtype=Key),
    count: int,
    num_threads: int,
    register_ranks: wp.array(dtype=wp.int32),
):
    """Find the register rank of each key from the leading zeros below six index bits. Combine the
    cell numbers by Szudzik's pairing, and hash the bits by Wang's shifts and products."""
    tid = wp.tid()
    for i in range(tid, count, num_threads):
        key = keys[i]
        cell_x = key.cell_x
        cell_y = key.cell_y
        low = wp.min(cell_x, cell_y)
        high = wp.max(cell_x, cell_y)
        other_key = wp.uint32(high * high + (low if cell_x < cell_y else high + low))
        mixed = other_key ^ wp.uint32(61) ^ (other_key >> wp.uint32(16))
        mixed *= wp.uint32(9)
        mixed = mixed ^ (mixed >> wp.uint32(4))
        mixed *= wp.uint32(0x27D4EB2D)
        hashed = mixed ^ (mixed >> wp.uint32(15))
        rest = (hashed << wp.uint32(6)) | wp.uint32(32)
        register_rank = int(1)
        while (rest >> wp.uint32(31)) == wp.uint32(0):
            rest = rest << wp.uint32(1)
            register_rank += 1
        register_ranks[i] = register_rank


LAUNCH = {
    "key_register_rank": {
        "sizes": {"threads": "(n + 3) // 4"},
        "difficulty": "medium",
        "dims": ["threads"],
        "parameters": {
            "keys": {"role": "in", "shape": ["n"], "values": {"members": {"cell_x": {"integers": [0, 4001]}, "cell_y": {"integers": [0, 4001]}}}},
            "count": {"values": {"size": "n"}},
            "num_threads": {"values": {"size": "threads"}},
            "register_ranks": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "key_register_rank": {"goal": "hashing.leading_zero_rank", "ending": "per_element", "formulas": ["hashing.leading_zero_rank", "hashing.wang_hash", "hashing.paired_key"]},
}
