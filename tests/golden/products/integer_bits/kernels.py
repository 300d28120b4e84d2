"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, checksums, sorting by counts.
"""

import warp as wp


VALUE_BITS = wp.constant(13)
VALUES_PER_BLOCK = wp.constant(64)


@wp.kernel
def pack_integers(values: wp.array2d(dtype=int), words: wp.array2d(dtype=wp.uint32)):
    """Pack blocks of 64 integers with 13 bits per integer, from the lowest bit of the first word
    on. values[i, b] is value i of block b, and words[w, b] word w of the packed block."""
    block = wp.tid()
    word = int(0)
    used = int(0)
    buffer = wp.uint64(0)
    mask = (wp.uint32(1) << wp.uint32(VALUE_BITS)) - wp.uint32(1)
    for i in range(VALUES_PER_BLOCK):
        field = wp.uint32(values[i, block]) & mask
        buffer |= wp.uint64(field) << wp.uint64(used)
        used += VALUE_BITS
        if used >= 32:
            words[word, block] = wp.uint32(buffer & wp.uint64(0xFFFFFFFF))
            buffer >>= wp.uint64(32)
            used -= 32
            word += 1


LAUNCH = {
    "pack_integers": {
        "sizes": {"blocks": "(n + 63) // 64 + 1"},
        "difficulty": "easy",
        "dims": ["blocks"],
        "parameters": {
            "values": {"role": "in", "shape": ["64", "blocks"], "values": {"integers": [0, 8192]}},
            "words": {"role": "out", "shape": ["26", "blocks"]},
        },
    },
}

MADE_OF = {
    "pack_integers": {"goal": "integer_bits.bit_packing", "ending": "written", "formulas": []},
}
