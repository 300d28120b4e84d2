"""Integers that the source writes in hexadecimal, in binary or as powers of two keep their spelling, and their value."""

import warp as wp

PRIME = wp.constant(wp.uint32(0x9E3779B9))
LOW_BITS = 0xFF
FAR = wp.constant(1 << 30)
FARTHER = wp.constant(wp.uint64(1 << 40))


@wp.kernel
def spelled_integers(x: wp.array(dtype=wp.uint32), out: wp.array2d(dtype=wp.uint64)):
    """A suffix says the type, and what the type changes is decimal: an int of 0xFFFFFFF0 is -16."""
    i = wp.tid()
    h = x[i] * PRIME
    h = (h ^ (h >> wp.uint32(0x10))) * wp.uint32(0x85EBCA6B)
    out[i, 0] = wp.uint64(h)
    wide = wp.uint64(x[i]) * wp.uint64(0x9E3779B97F4A7C15)
    out[i, 1] = wide ^ (wide >> wp.uint64(0b10_0001))
    masked = int(x[i]) & LOW_BITS & 0x7F
    out[i, 2] = wp.uint64(masked | 1 << 0x9)
    negative = wp.int32(0xFFFFFFF0) + int(x[i] & wp.uint32(0xF))
    out[i, 3] = wp.uint64(negative + wp.int32(wp.uint8(0xA5)) - 0o17)
    out[i, 4] = wp.uint64(int(x[i] & wp.uint32(0xF)) + FAR) + FARTHER
    out[i, 5] = wp.uint64(0x4332322132212110) >> (wp.uint64(4) * (wide & wp.uint64(15)))


LAUNCH = {
    "spelled_integers": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 2000000000]}},
            "out": {"role": "out", "shape": ["n", "6"]},
        },
    },
}
