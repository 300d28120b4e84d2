"""Kernels of the category integer_bits, seed 0.

Bits of words: hashes, population counts, Gray and Morton codes, packed fields, streams, checksums.
"""

import warp as wp


@wp.func
def expand_bits(x: wp.uint32):
    """The bits of x, 3 places apart."""
    v = x & wp.uint32(1023)
    v = (v | (v << wp.uint32(16))) & wp.uint32(0x30000FF)
    v = (v | (v << wp.uint32(8))) & wp.uint32(0x300F00F)
    v = (v | (v << wp.uint32(4))) & wp.uint32(0x30C30C3)
    v = (v | (v << wp.uint32(2))) & wp.uint32(0x9249249)
    return v


@wp.kernel
def morton_code(
    positions: wp.array(dtype=wp.vec3),
    palette: wp.array(dtype=wp.float32),
    entries: wp.array(dtype=wp.float32),
):
    """Morton code of each position in 3 dimensions, z in the lowest bits. The code chooses an entry
    of a table of 32."""
    particle = wp.tid()
    position = positions[particle]
    cell_x = wp.uint32(wp.clamp(position[0] * 512.0, 0.0, 511.0))
    cell_y = wp.uint32(wp.clamp(position[1] * 512.0, 0.0, 511.0))
    cell_z = wp.uint32(wp.clamp(position[2] * 512.0, 0.0, 511.0))
    morton = (
        (expand_bits(cell_z) | (expand_bits(cell_y) << wp.uint32(1)))
        + (expand_bits(cell_x) << wp.uint32(2))
    )
    slot = int((morton >> wp.uint32(22)) & wp.uint32(31))
    entry = palette[slot]
    entries[particle] = entry


LAUNCH = {
    "morton_code": {
        "sizes": {"entries": "32"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "palette": {"role": "in", "shape": ["entries"], "values": {"uniform": [-1.0, 1.0]}},
            "entries": {"role": "out", "shape": ["n"]},
        },
    },
}
