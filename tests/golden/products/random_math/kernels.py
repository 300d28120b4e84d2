"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.func
def round_hash(value: wp.uint32, key: wp.uint32):
    """Mix half of an index with a round key."""
    h = (value ^ key) * wp.uint32(0x85EBCA6B)
    h = (h ^ (h >> wp.uint32(13))) * wp.uint32(0xC2B2AE35)
    return h ^ (h >> wp.uint32(16))


@wp.func
def encrypt(index: wp.uint32, half_bits: int, seed: int):
    """Encrypt a number of 2 half_bits bits by odd products, sums and shifts modulo a power of
    two."""
    mask = (wp.uint32(1) << wp.uint32(2 * half_bits)) - wp.uint32(1)
    key = round_hash(wp.uint32(seed), wp.uint32(0x9E3779B9))
    x = index
    for r in range(8):
        x = (x * (key | wp.uint32(1)) + (key >> wp.uint32(8))) & mask
        x = x ^ (x >> wp.uint32(half_bits))
        key = round_hash(key, wp.uint32(r))
    return x


@wp.func
def shuffled(index: int, count: int, seed: int):
    """Return the image of an index under a random permutation of count numbers, by cycle
    walking."""
    half_bits = int(1)
    while (1 << (2 * half_bits)) < count:
        half_bits += 1
    x = encrypt(wp.uint32(index), half_bits, seed)
    while x >= wp.uint32(count):
        x = encrypt(x, half_bits, seed)
    return int(x)


@wp.kernel
def bijective_shuffle(
    values: wp.array(dtype=float),
    count: int,
    seed: int,
    shuffled_values: wp.array(dtype=float),
):
    """Shuffle the elements of an array. Each thread computes its own source index."""
    i = wp.tid()
    shuffled_values[i] = values[shuffled(i, count, seed)]


LAUNCH = {
    "bijective_shuffle": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "values": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "seed": {"values": {"integers": [0, 10000]}},
            "shuffled_values": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "bijective_shuffle": {"goal": "random_math.random_shuffle", "ending": "written", "formulas": []},
}
