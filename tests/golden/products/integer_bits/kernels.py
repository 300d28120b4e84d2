"""Kernels of the category integer_bits, seed 0.

Bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields.
"""

import warp as wp


@wp.kernel
def gray_code(values: wp.array(dtype=wp.uint32), result: wp.array(dtype=wp.uint32)):
    """Reflected Gray code of each number."""
    i = wp.tid()
    result[i] = values[i] ^ (values[i] >> wp.uint32(1))


LAUNCH = {
    "gray_code": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "values": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2147483647]}},
            "result": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "gray_code": {"goal": "integer_bits.bit_tricks", "ending": "written", "formulas": []},
}
