"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.kernel
def message_bucket(
    octets: wp.array2d(dtype=wp.uint8),
    num_bytes: int,
    buckets: wp.array(dtype=wp.int32),
):
    """Choose the bucket of each message by the remainder of the digest, with the bytes hashed by
    rotations."""
    row = wp.tid()
    digest = wp.uint32(0)
    for j in range(num_bytes):
        digest = ((digest << wp.uint32(5)) | (digest >> wp.uint32(27))) ^ wp.uint32(octets[row, j])
    bucket = int(digest % wp.uint32(364))
    buckets[row] = bucket


LAUNCH = {
    "message_bucket": {
        "sizes": {"bytes": "8"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "octets": {"role": "in", "shape": ["n", "bytes"], "values": {"integers": [0, 256]}},
            "num_bytes": {"values": {"size": "bytes"}},
            "buckets": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "message_bucket": {"goal": "messages.digest_bucket", "ending": "per_element", "formulas": ["messages.digest_bucket", "messages.rotating_hash"]},
}
