"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.func
def rotl(x: wp.uint32, r: wp.uint32):
    """Rotate a word to the left."""
    return (x << r) | (x >> (wp.uint32(32) - r))


@wp.kernel
def hash_xxh32(
    records: wp.array2d(dtype=wp.uint32),
    length: int,
    seed: wp.uint32,
    hashes: wp.array(dtype=wp.uint32),
):
    """XxHash (32 bits) of messages of fewer than four words."""
    i = wp.tid()
    h = seed + wp.uint32(374761393) + wp.uint32(4 * length)
    for j in range(length):
        h = rotl(h + records[i, j] * wp.uint32(3266489917), wp.uint32(17)) * wp.uint32(668265263)
    h = (h ^ (h >> wp.uint32(15))) * wp.uint32(2246822519)
    h = (h ^ (h >> wp.uint32(13))) * wp.uint32(3266489917)
    hashes[i] = h ^ (h >> wp.uint32(16))


LAUNCH = {
    "hash_xxh32": {
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
    "hash_xxh32": {"goal": "integer_bits.hashes", "ending": "written", "formulas": []},
}
