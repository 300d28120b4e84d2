"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


PI = wp.constant(3.141592653589793)


@wp.func
def spiky_gradient(offset: wp.vec3, support: float):
    """Gradient of the spiky kernel."""
    r = wp.length(offset)
    if r <= 1.0e-6 or r >= support:
        return wp.vec3()
    return -45.0 / (PI * wp.pow(support, 6.0)) * (support - r) * (support - r) / r * offset


@wp.kernel
def sph_pressure_force(
    positions: wp.array(dtype=wp.vec3),
    densities: wp.array(dtype=float),
    pressures: wp.array(dtype=float),
    neighbors: wp.array2d(dtype=int),
    neighbor_counts: wp.array(dtype=int),
    support: float,
    mass: float,
    accelerations: wp.array(dtype=wp.vec3),
):
    """SPH pressure acceleration in its symmetric form."""
    i = wp.tid()
    here = positions[i]
    own = pressures[i] / (densities[i] * densities[i])
    total = wp.vec3()
    for k in range(neighbor_counts[i]):
        j = neighbors[k, i]
        if j != i:
            term = own + pressures[j] / (densities[j] * densities[j])
            total -= mass * term * spiky_gradient(here - positions[j], support)
    accelerations[i] = total


LAUNCH = {
    "sph_pressure_force": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.4, 0.4]}},
            "densities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.8, 1.2]}},
            "pressures": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "neighbors": {"role": "in", "shape": ["24", "n"], "values": {"integers": [0, "n"]}},
            "neighbor_counts": {"role": "in", "shape": ["n"], "values": {"integers": [0, 25]}},
            "support": {"values": {"uniform": [0.6, 1.0]}},
            "mass": {"values": {"uniform": [0.02, 0.1]}},
            "accelerations": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sph_pressure_force": {"goal": "particle.sph_density", "ending": "written", "formulas": []},
}
