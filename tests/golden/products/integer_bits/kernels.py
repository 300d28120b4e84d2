"""Kernels of the category integer_bits, seed 0.

Bits of words: hashes, population counts, Gray and Morton codes, packed fields, streams, checksums.
"""

import warp as wp


@wp.func
def compute_turned(v: wp.uint32):
    """The turned, from v."""
    return (v >> wp.uint32(16)) | (v << wp.uint32(16))


@wp.kernel
def reverse_bits(
    others: wp.array(dtype=wp.uint32),
    mismatches: wp.array(dtype=wp.uint32),
    count: int,
    seed: wp.uint32,
):
    """Where the exclusive or of two words differs from itself with its bytes reversed. A seed and
    the element's number make the word."""
    i = wp.tid()
    if i >= count:
        return
    other = others[i]
    bitmap = wp.uint32(i) * wp.uint32(0xC2B2AE35) + seed
    differing = bitmap ^ other
    v = differing
    v = ((v >> wp.uint32(8)) & wp.uint32(0xFF00FF)) | ((v & wp.uint32(0xFF00FF)) << wp.uint32(8))
    turned = compute_turned(v)
    mismatches[i] = turned ^ differing


LAUNCH = {
    "reverse_bits": {
        "difficulty": "medium",
        "dims": ["(n + 127) // 128 * 128"],
        "parameters": {
            "others": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4294967296]}},
            "mismatches": {"role": "out", "shape": ["n"]},
            "count": {"values": {"size": "n"}},
            "seed": {"values": {"integers": [0, 4294967296]}},
        },
    },
}
