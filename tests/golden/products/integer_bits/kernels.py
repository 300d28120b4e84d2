"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.kernel
def compute_digest_bucket(
    octets: wp.array2d(dtype=wp.uint8),
    num_bytes: int,
    bucket_count: int,
    buckets: wp.array(dtype=wp.int32),
):
    """Compute the bucket by the remainder of the digest. Uses the FNV-1 hash."""
    idx = wp.tid()
    digest = wp.uint32(0x811C9DC5)
    for j in range(num_bytes):
        digest = (digest * wp.uint32(0x1000193)) ^ wp.uint32(octets[j, idx])
    buckets[idx] = int(digest % wp.uint32(bucket_count))


LAUNCH = {
    "compute_digest_bucket": {
        "sizes": {"bytes": "24"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "octets": {"role": "in", "shape": ["bytes", "n"], "values": {"integers": [0, 256]}},
            "num_bytes": {"values": {"size": "bytes"}},
            "bucket_count": {"values": {"integers": [31, 510]}},
            "buckets": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_digest_bucket": {"goal": "messages.digest_bucket", "ending": "per_element", "formulas": ["messages.digest_bucket", "messages.fnv1"]},
}
