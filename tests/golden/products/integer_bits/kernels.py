"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.kernel
def message_entity_tag(
    octets: wp.array2d(dtype=wp.uint8),
    crc_table: wp.array(dtype=wp.uint32),
    num_bytes: int,
    entity_tags: wp.array(dtype=wp.uint32),
):
    """Combine the digest of each message with the checksum. The bytes are hashed by rotations, and
    the checksum is computed by Castagnoli's CRC-32 and a table of nibbles."""
    idx = wp.tid()
    digest = wp.uint32(0)
    crc = wp.uint32(0xFFFFFFFF)
    for j in range(num_bytes):
        digest = ((digest << wp.uint32(5)) | (digest >> wp.uint32(27))) ^ wp.uint32(octets[idx, j])
        crc ^= wp.uint32(octets[idx, j])
        crc = (crc >> wp.uint32(4)) ^ crc_table[int(crc & wp.uint32(15))]
        crc = (crc >> wp.uint32(4)) ^ crc_table[int(crc & wp.uint32(15))]
    checksum = ~crc
    entity_tag = ((digest << wp.uint32(16)) | (digest >> wp.uint32(16))) ^ checksum
    entity_tags[idx] = entity_tag


LAUNCH = {
    "message_entity_tag": {
        "sizes": {"bytes": "8"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "octets": {"role": "in", "shape": ["n", "bytes"], "values": {"integers": [0, 256]}},
            "crc_table": {"role": "in", "shape": ["16"], "memory": "constant", "values": {"list": [0, 274646895, 549293790, 820201905, 1098587580, 1361435347, 1640403810, 1905808397, 2197175160, 2460548119, 2722870694, 2987750089, 3280807620, 3553878443, 3811616794, 4084100981]}},
            "num_bytes": {"values": {"size": "bytes"}},
            "entity_tags": {"role": "out", "shape": ["n"]},
        },
    },
}
