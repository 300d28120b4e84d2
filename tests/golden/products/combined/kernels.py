"""Kernels of the category combined, seed 0.

Loops, branches, vectors, structs, helper functions and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def kernel_weight(r: float, cutoff: float):
    """Weight that vanishes at the cutoff."""
    q = wp.max(1.0 - r / cutoff, 0.0)
    return q * q * q


@wp.kernel
def neighbor_force(
    positions: wp.array(dtype=wp.vec3),
    neighbor_ids: wp.array2d(dtype=wp.int32),
    forces: wp.array(dtype=wp.vec3),
):
    """Repulsion from the neighbours of each particle within a cutoff."""
    particle = wp.tid()
    position = positions[particle]
    force = wp.vec3(0.0, 0.0, 0.0)
    for slot in range(6):
        j = neighbor_ids[particle, slot]
        if j == particle:
            continue
        offset = position - positions[j]
        r = wp.length(offset)
        if r < 2.0:
            force += kernel_weight(r, 2.0) * wp.normalize(offset)
    forces[particle] = force


LAUNCH = {
    "neighbor_force": {
        "sizes": {"slots": "6"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "neighbor_ids": {"role": "in", "shape": ["n", "slots"], "values": {"integers": [0, "n"]}},
            "forces": {"role": "out", "shape": ["n"]},
        },
    },
}
