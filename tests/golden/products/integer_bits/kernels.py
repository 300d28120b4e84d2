"""Kernels of the category integer_bits, seed 0.

Bits of words: hashes, population counts, Gray and Morton codes, packed fields, streams, checksums.
"""

import warp as wp


@wp.kernel
def checksum(payloads: wp.array2d(dtype=wp.uint32), checksums: wp.array(dtype=wp.uint32)):
    """Rotating checksum of 20 bytes."""
    row = wp.tid()
    check = wp.uint32(0xFFFFFFFF)
    for j in range(20):
        check = ((check << wp.uint32(3)) | (check >> wp.uint32(29))) + payloads[row, j]
    checksums[row] = check


LAUNCH = {
    "checksum": {
        "sizes": {"bytes": "20"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "payloads": {"role": "in", "shape": ["n", "bytes"], "values": {"integers": [0, 256]}},
            "checksums": {"role": "out", "shape": ["n"]},
        },
    },
}
