"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


NUM_HASHES = wp.constant(5)
NUM_WORDS = wp.constant(256)


@wp.func
def mix(key: wp.uint32, seed: wp.uint32):
    """Finalizer of MurmurHash3."""
    h = key ^ seed
    h = (h ^ (h >> wp.uint32(16))) * wp.uint32(0x85EBCA6B)
    h = (h ^ (h >> wp.uint32(13))) * wp.uint32(0xC2B2AE35)
    return h ^ (h >> wp.uint32(16))


@wp.func
def bit_place(key: wp.uint32, k: int):
    """Bit of the filter for the k-th hash of a key: one hash plus k times a second, odd one."""
    first = mix(key, wp.uint32(0x2545F491))
    second = mix(key, wp.uint32(0x68E31DA4)) | wp.uint32(1)
    return int((first + wp.uint32(k) * second) % wp.uint32(32 * NUM_WORDS))


@wp.kernel
def insert(keys: wp.array(dtype=wp.uint32), bloom: wp.array(dtype=wp.uint32)):
    """Set the bits of a key."""
    i = wp.tid()
    for k in range(NUM_HASHES):
        place = bit_place(keys[i], k)
        wp.atomic_or(bloom, place >> 5, wp.uint32(1) << wp.uint32(place & 31))


@wp.kernel
def query(
    queries: wp.array(dtype=wp.uint32),
    bloom: wp.array(dtype=wp.uint32),
    maybe_present: wp.array(dtype=int),
):
    """Whether a key may have been inserted (1), or certainly was not (0)."""
    i = wp.tid()
    present = int(1)
    for k in range(NUM_HASHES):
        place = bit_place(queries[i], k)
        bit = (bloom[place >> 5] >> wp.uint32(place & 31)) & wp.uint32(1)
        if bit == wp.uint32(0):
            present = 0
            break
    maybe_present[i] = present


@wp.kernel
def count_set_bits(bloom: wp.array(dtype=wp.uint32), num_set: wp.array(dtype=int)):
    """Number of bits that are set, which tells how full the filter is."""
    w = wp.tid()
    wp.atomic_add(num_set, 0, wp.bit_count(bloom[w]))


LAUNCH = {
    "bloom_insert_and_query": {
        "description": "Insert keys into a Bloom filter with 5 hashes, and query others.",
        "sizes": {"num_keys": "min((n + 3) // 4, 1024)"},
        "difficulty": "expert",
        "steps": [
            {"zero": "bloom"},
            {"zero": "num_set"},
            {"kernel": "insert", "dims": ["num_keys"], "arguments": {}},
            {"kernel": "query", "dims": ["n"], "arguments": {}},
            {"kernel": "count_set_bits", "dims": ["256"], "arguments": {}},
        ],
        "parameters": {
            "keys": {"role": "in", "shape": ["num_keys"], "values": {"integers": [0, 2000]}},
            "queries": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4000]}},
            "bloom": {"role": "out", "shape": ["256"]},
            "maybe_present": {"role": "out", "shape": ["n"]},
            "num_set": {"role": "out", "shape": ["1"]},
        },
    },
}

MADE_OF = {
    "bloom_insert_and_query": {"goal": "integer_bits.bloom_filter", "ending": "written", "formulas": []},
}

PARTS = ["insert", "query", "count_set_bits"]
