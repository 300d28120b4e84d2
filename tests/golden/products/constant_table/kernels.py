"""Kernels of the category constant_table, seed 0.

Constant memory: filter taps, palettes, quadrature rules, permutations, lookup tables.
"""

import warp as wp


@wp.kernel
def lookup(
    lut: wp.array(dtype=wp.float32),
    phases: wp.array(dtype=wp.float32),
    levels: wp.array(dtype=wp.float32),
):
    """Function from a table of 16 entries, linear between entries."""
    i = wp.tid()
    phase = phases[i]
    u = phase * 15.0
    cell = wp.min(int(u), 14)
    t = u - float(cell)
    before = lut[cell]
    after = lut[cell + 1]
    level = (1.0 - t) * before + t * after
    levels[i] = level


LAUNCH = {
    "lookup": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lut": {"role": "in", "shape": ["16"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "phases": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "levels": {"role": "out", "shape": ["n"]},
        },
    },
}
