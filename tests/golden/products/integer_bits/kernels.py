"""Kernels of the category integer_bits, seed 0.

Bits of words: hashes, population counts, Gray and Morton codes, packed fields, streams, checksums.
"""

import warp as wp


@wp.func
def expand_bits(x: wp.uint32):
    """The bits of x, 2 places apart."""
    v = x & wp.uint32(65535)
    v = (v | (v << wp.uint32(8))) & wp.uint32(0xFF00FF)
    v = (v | (v << wp.uint32(4))) & wp.uint32(0xF0F0F0F)
    v = (v | (v << wp.uint32(2))) & wp.uint32(0x33333333)
    v = (v | (v << wp.uint32(1))) & wp.uint32(0x55555555)
    return v


@wp.kernel
def morton_code(
    cells_x: wp.array(dtype=wp.int32),
    cells_y: wp.array(dtype=wp.int32),
    amplitudes: wp.array(dtype=wp.float32),
    outputs: wp.array(dtype=wp.float32),
):
    """Morton code of each cell in 2 dimensions, x in the lowest bits. Three bits of the code decide
    whether the amplitude changes its sign."""
    particle = wp.tid()
    morton = (
        expand_bits(wp.uint32(cells_x[particle]))
        | (expand_bits(wp.uint32(cells_y[particle])) << wp.uint32(1))
    )
    amplitude = amplitudes[particle]
    signed_number = amplitude
    if (morton >> wp.uint32(29)) < wp.uint32(3):
        signed_number = -amplitude
    outputs[particle] = signed_number


LAUNCH = {
    "morton_code": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "cells_x": {"role": "in", "shape": ["n"], "values": {"integers": [0, 65536]}},
            "cells_y": {"role": "in", "shape": ["n"], "values": {"integers": [0, 65536]}},
            "amplitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "outputs": {"role": "out", "shape": ["n"]},
        },
    },
}
