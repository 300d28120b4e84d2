"""Kernels of the category combined, seed 0.

Loops, branches, vectors, structs, helper functions and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def falloff(r: float, cutoff: float):
    """Weight that vanishes at the cutoff."""
    q = wp.max(1.0 - r / cutoff, 0.0)
    return q * (2.0 - q)


@wp.kernel
def neighbor_force(
    positions: wp.array(dtype=wp.vec3),
    neighbors: wp.array2d(dtype=wp.int32),
    charges: wp.array(dtype=wp.float32),
    neighbor_counts: wp.array(dtype=wp.int32),
    cutoff: float,
    forces: wp.array(dtype=wp.vec3),
):
    """Repulsion from the neighbours of each particle within a cutoff. Unlike charges attract each
    other. Lists have lengths of their own."""
    particle = wp.tid()
    charge = charges[particle]
    listed = neighbor_counts[particle]
    position = positions[particle]
    force = wp.vec3(0.0, 0.0, 0.0)
    for slot in range(listed):
        j = neighbors[particle, slot]
        if j == particle:
            continue
        offset = position - positions[j]
        r = wp.length(offset)
        force += charge * charges[j] * falloff(r, cutoff) * offset
    forces[particle] = force


LAUNCH = {
    "neighbor_force": {
        "sizes": {"slots": "4"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "neighbors": {"role": "in", "shape": ["n", "slots"], "values": {"integers": [0, "n"]}},
            "charges": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "neighbor_counts": {"role": "in", "shape": ["n"], "values": {"integers": [1, 5]}},
            "cutoff": {"values": {"uniform": [1.0, 2.0]}},
            "forces": {"role": "out", "shape": ["n"]},
        },
    },
}
