"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.kernel
def message_bucket(
    octets: wp.array2d(dtype=wp.uint8),
    bucket_count: int,
    buckets: wp.array(dtype=wp.int32),
):
    """Choose the bucket of each message by the remainder of the digest. First, the bytes are hashed
    by FNV-1."""
    row = wp.tid()
    digest = wp.uint32(0x811C9DC5)
    for j in range(32):
        digest = (digest * wp.uint32(0x1000193)) ^ wp.uint32(octets[row, j])
    bucket = int(digest % wp.uint32(bucket_count))
    buckets[row] = bucket


LAUNCH = {
    "message_bucket": {
        "sizes": {"bytes": "32"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "octets": {"role": "in", "shape": ["n", "bytes"], "values": {"integers": [0, 256]}},
            "bucket_count": {"values": {"integers": [31, 510]}},
            "buckets": {"role": "out", "shape": ["n"]},
        },
    },
}
