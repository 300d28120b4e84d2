"""Kernels of the category spring, seed 0.

Springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums.
"""

import warp as wp


@wp.kernel
def strand_energy(
    mask: wp.array(dtype=wp.int32),
    positions: wp.array2d(dtype=wp.vec3),
    stretches: wp.array(dtype=wp.float32),
    num_items: int,
):
    """Largest stretch of strands of 8 points. Elements outside the mask are skipped."""
    tid = wp.tid()
    i = num_items - 1 - tid
    if mask[i] == 0:
        return
    longest = float(0.0)
    for s in range(7):
        d = positions[i, s + 1] - positions[i, s]
        length = wp.length(d)
        longest = wp.max(longest, length / 0.8)
    stretches[i] = longest


LAUNCH = {
    "strand_energy": {
        "sizes": {"nodes": "8"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "positions": {"role": "in", "shape": ["n", "nodes"], "values": {"uniform": [-1.0, 1.0]}},
            "stretches": {"role": "out", "shape": ["n"]},
            "num_items": {"values": {"size": "n"}},
        },
    },
}
