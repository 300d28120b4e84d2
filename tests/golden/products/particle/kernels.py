"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.kernel
def lennard_jones_forces(
    coords: wp.array(dtype=wp.vec3),
    neighbors: wp.array2d(dtype=int),
    neighbor_counts: wp.array(dtype=int),
    epsilon: float,
    sigma: float,
    cutoff: float,
    box: float,
    forces: wp.array(dtype=wp.vec3),
    energies: wp.array(dtype=float),
):
    """Lennard-Jones force and energy of each particle from its neighbor list, with periodic
    images."""
    i = wp.tid()
    here = coords[i]
    force = wp.vec3()
    energy = float(0.0)
    for k in range(neighbor_counts[i]):
        j = neighbors[k, i]
        d = here - coords[j]
        for axis in range(3):
            d[axis] = d[axis] - box * wp.round(d[axis] / box)
        r2 = wp.length_sq(d)
        if j != i and r2 < cutoff * cutoff and r2 > 0.01:
            s2 = sigma * sigma / r2
            s6 = s2 * s2 * s2
            force += 24.0 * epsilon * (2.0 * s6 * s6 - s6) / r2 * d
            energy += 2.0 * epsilon * (s6 * s6 - s6)
    forces[i] = force
    energies[i] = energy


LAUNCH = {
    "lennard_jones_forces": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "coords": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 4.0]}},
            "neighbors": {"role": "in", "shape": ["12", "n"], "values": {"integers": [0, "n"]}},
            "neighbor_counts": {"role": "in", "shape": ["n"], "values": {"integers": [0, 13]}},
            "epsilon": {"values": {"uniform": [0.5, 1.5]}},
            "sigma": {"values": {"uniform": [0.6, 0.9]}},
            "cutoff": {"values": {"uniform": [2.0, 3.0]}},
            "box": {"values": {"constant": 4.0}},
            "forces": {"role": "out", "shape": ["n"]},
            "energies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "lennard_jones_forces": {"goal": "particle.lennard_jones", "ending": "written", "formulas": []},
}
