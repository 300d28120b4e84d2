"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, checksums, sorting by counts.
"""

import warp as wp


BLOCK_WORDS = wp.constant(4)


@wp.kernel
def rank_queries(
    bits: wp.array(dtype=wp.uint32),
    block_ranks: wp.array(dtype=int),
    queries: wp.array(dtype=int),
    ranks: wp.array(dtype=int),
):
    """Answer rank queries on a bit vector: count the ones before each position. `block_ranks` holds
    the number of ones before each block of BLOCK_WORDS words; the rest is counted within the
    block."""
    i = wp.tid()
    position = queries[i]
    word = position >> 5
    block = word // BLOCK_WORDS
    rank = block_ranks[block]
    for w in range(block * BLOCK_WORDS, word):
        rank += wp.bit_count(bits[w])
    below = (wp.uint32(1) << wp.uint32(position & 31)) - wp.uint32(1)
    ranks[i] = rank + wp.bit_count(bits[word] & below)


LAUNCH = {
    "rank_queries": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "bits": {"role": "in", "shape": ["4 * (n // 8 + 1)"], "values": {"integers": [0, 4294967295]}},
            "block_ranks": {"role": "in", "shape": ["n // 8 + 1"], "values": {"integers": [0, 1000000]}},
            "queries": {"role": "in", "shape": ["n"], "values": {"integers": [0, "128 * (n // 8 + 1)"]}},
            "ranks": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "rank_queries": {"goal": "integer_bits.bit_matrix", "ending": "written", "formulas": []},
}
