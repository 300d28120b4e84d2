"""Kernels of the category constant_table, seed 0.

Constant memory: filter taps, palettes, quadrature rules, permutations, lookup tables.
"""

import warp as wp


@wp.kernel
def lookup(
    entries: wp.array(dtype=wp.float32),
    coordinates: wp.array(dtype=wp.float32),
    importances: wp.array(dtype=wp.float32),
    num_items: int,
    levels: wp.array(dtype=wp.float32),
):
    """Function from a table of 32 entries, eased between entries. The level is multiplied by its
    importance."""
    i = wp.tid()
    if i >= num_items:
        return
    spot = coordinates[i] * 31.0
    cell = wp.min(int(spot), 30)
    t = spot - float(cell)
    eased = t * t * (3.0 - 2.0 * t)
    before = entries[cell]
    after = entries[cell + 1]
    levels[i] = importances[i] * (before + eased * (after - before))


LAUNCH = {
    "lookup": {
        "difficulty": "medium",
        "dims": ["(n + 127) // 128 * 128"],
        "parameters": {
            "entries": {"role": "in", "shape": ["32"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "coordinates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "importances": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "num_items": {"values": {"size": "n"}},
            "levels": {"role": "out", "shape": ["n"]},
        },
    },
}
