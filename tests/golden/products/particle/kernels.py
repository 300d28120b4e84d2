"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.kernel
def neighbor_force(
    mask: wp.array(dtype=wp.int32),
    positions: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=wp.float32),
    neighbors: wp.array2d(dtype=wp.int32),
    strength_share: wp.array(dtype=wp.float32),
    strength_range: wp.vec2,
    energies: wp.array(dtype=wp.float32),
):
    """Potential energy of each particle's neighbours by a softened Lennard-Jones law. Elements
    outside the mask are skipped. A list has -1 where there is no neighbour. Both masses count."""
    i = wp.tid()
    if mask[i] == 0:
        return
    x = positions[i]
    energy = float(0.0)
    for slot in range(3):
        j = neighbors[i, slot]
        if j >= 0:
            d = positions[j] - x
            square = wp.dot(d, d)
            softened = square + 0.65
            ratio = 1.0 / softened
            cube = ratio * ratio * ratio
            energy += masses[j] * (cube * (cube - 1.0))
    strength = wp.lerp(strength_range[0], strength_range[1], strength_share[i])
    energies[i] = strength * (masses[i] * energy)


LAUNCH = {
    "neighbor_force": {
        "sizes": {"slots": "3"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 1.5]}},
            "neighbors": {"role": "in", "shape": ["n", "slots"], "values": {"integers": [-1, "n"]}},
            "strength_share": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "strength_range": {"values": {"uniform": [0.2, 2.0]}},
            "energies": {"role": "out", "shape": ["n"]},
        },
    },
}
