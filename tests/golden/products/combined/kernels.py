"""Kernels of the category combined, seed 0.

Loops, branches, vectors, structs, helper functions and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def kernel_weight(r: float, cutoff: float):
    """Weight that vanishes at the cutoff."""
    q = wp.max(1.0 - r / cutoff, 0.0)
    return wp.sqrt(q)


@wp.kernel
def neighbor_force(
    enabled: wp.array(dtype=wp.int32),
    positions: wp.array(dtype=wp.vec2),
    neighbor_ids: wp.array2d(dtype=wp.int32),
    kinds: wp.array(dtype=wp.int32),
    strengths: wp.array2d(dtype=wp.float32),
    previous: wp.array(dtype=wp.vec2),
    forces: wp.array(dtype=wp.vec2),
):
    """Repulsion from the neighbours of each particle within a cutoff. Elements that are not enabled
    are skipped. A table of 3 by 3 kinds has the strengths. The previous value is subtracted from
    the force."""
    particle = wp.tid()
    if enabled[particle] == 0:
        return
    position = positions[particle]
    kind = kinds[particle]
    force = wp.vec2(0.0, 0.0)
    for slot in range(6):
        j = neighbor_ids[particle, slot]
        if j == particle:
            continue
        offset = position - positions[j]
        r = wp.length(offset)
        force += strengths[kind, kinds[j]] * kernel_weight(r, 1.5) * offset
    previous_value = previous[particle]
    forces[particle] = force - previous_value


LAUNCH = {
    "neighbor_force": {
        "sizes": {"slots": "6"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "neighbor_ids": {"role": "in", "shape": ["n", "slots"], "values": {"integers": [0, "n"]}},
            "kinds": {"role": "in", "shape": ["n"], "values": {"integers": [0, 3]}},
            "strengths": {"role": "in", "shape": ["3", "3"], "values": {"uniform": [-1.0, 2.0]}},
            "previous": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "forces": {"role": "out", "shape": ["n"]},
        },
    },
}
