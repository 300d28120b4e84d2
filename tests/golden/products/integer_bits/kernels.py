"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.func
def rotl(x: wp.uint32, r: wp.uint32):
    """Rotate a word to the left."""
    return (x << r) | (x >> (wp.uint32(32) - r))


@wp.kernel
def murmur3_hash(
    records: wp.array2d(dtype=wp.uint32),
    length: int,
    seed: wp.uint32,
    hashes: wp.array(dtype=wp.uint32),
):
    """MurmurHash3 (32 bits) of messages of whole words."""
    i = wp.tid()
    h = seed
    for j in range(length):
        k = rotl(records[i, j] * wp.uint32(0xCC9E2D51), wp.uint32(15)) * wp.uint32(0x1B873593)
        h = rotl(h ^ k, wp.uint32(13)) * wp.uint32(5) + wp.uint32(0xE6546B64)
    h = h ^ wp.uint32(4 * length)
    h = (h ^ (h >> wp.uint32(16))) * wp.uint32(0x85EBCA6B)
    h = (h ^ (h >> wp.uint32(13))) * wp.uint32(0xC2B2AE35)
    hashes[i] = h ^ (h >> wp.uint32(16))


LAUNCH = {
    "murmur3_hash": {
        "sizes": {"count": "(n + 15) // 16", "length": "2"},
        "difficulty": "easy",
        "dims": ["count"],
        "parameters": {
            "records": {"role": "in", "shape": ["count", "length"], "values": {"integers": [0, 1000000]}},
            "length": {"values": {"size": "length"}},
            "seed": {"values": {"integers": [0, 100000]}},
            "hashes": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "murmur3_hash": {"goal": "integer_bits.hashes", "ending": "written", "formulas": []},
}
