"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps between two arrays.
"""

import warp as wp


@wp.kernel
def estimate_poly6_density(
    positions: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=wp.float32),
    neighbors: wp.array2d(dtype=wp.int32),
    max_neighbors: int,
    densities: wp.array(dtype=wp.float32),
):
    """Estimate the density of each particle from the masses of the neighbors under the poly6
    kernel."""
    i = wp.tid()
    position = positions[i]
    density = masses[i] * 3.059924
    for slot in range(max_neighbors):
        neighbor = neighbors[i, slot]
        if neighbor < 0:
            break
        distance = wp.length(position - positions[neighbor])
        q = wp.min(distance / 0.8, 1.0)
        gap = 1.0 - q * q
        square = gap * gap
        density += masses[neighbor] * (3.059924 * (square * gap))
    densities[i] = density


@wp.kernel
def compute_acceleration(
    positions: wp.array(dtype=wp.vec3),
    vorticities: wp.array(dtype=wp.vec3),
    densities: wp.array(dtype=wp.float32),
    masses: wp.array(dtype=wp.float32),
    neighbors: wp.array2d(dtype=wp.int32),
    temperatures: wp.array(dtype=wp.float32),
    confinement: float,
    max_neighbors: int,
    accelerations: wp.array(dtype=wp.vec3),
):
    """Compute the acceleration of each particle by buoyancy and vorticity confinement. The
    confinement force is computed to sustain vortices. Gradients are those of Lucy's kernel."""
    p = wp.tid()
    position = positions[p]
    vorticity = vorticities[p]
    size_gradient = wp.vec3(0.0, 0.0, 0.0)
    own_size = wp.length(vorticity)
    for slot in range(max_neighbors):
        neighbor = neighbors[p, slot]
        if neighbor < 0:
            break
        offset = position - positions[neighbor]
        distance = wp.max(wp.length(offset), 0.0001)
        q = wp.min(distance / 0.8, 1.0)
        gap = 1.0 - q
        gradient = 5.099878 * (-12.0 * q * (gap * gap)) / distance * offset
        size_gradient += (
            masses[neighbor]
            / densities[neighbor]
            * (wp.length(vorticities[neighbor]) - own_size)
            * gradient
        )
    towards = size_gradient / (wp.length(size_gradient) + 0.05)
    confinement_force = confinement * wp.cross(towards, vorticity)
    temperature = temperatures[p]
    density = densities[p]
    buoyancy = 1.4 * (temperature - 0.4) - 0.12 * density
    acceleration = confinement_force + wp.vec3(0.0, buoyancy, 0.0)
    accelerations[p] = acceleration


LAUNCH = {
    "particle_acceleration": {
        "description": "Compute the acceleration of each particle by buoyancy and vorticity confinement.",
        "sizes": {"max_neighbors": "8"},
        "difficulty": "expert",
        "steps": [
            {
                "kernel": "estimate_poly6_density",
                "dims": ["n"],
                "arguments": {"densities": "densities", "positions": "positions", "masses": "masses", "neighbors": "neighbors", "max_neighbors": "max_neighbors"},
            },
            {
                "kernel": "compute_acceleration",
                "dims": ["n"],
                "arguments": {"densities": "densities", "accelerations": "accelerations", "positions": "positions", "vorticities": "vorticities", "masses": "masses", "neighbors": "neighbors", "temperatures": "temperatures", "confinement": "confinement", "max_neighbors": "max_neighbors"},
            },
        ],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.5]}},
            "neighbors": {"role": "in", "shape": ["n", "max_neighbors"], "values": {"integers": [-1, "n"]}},
            "vorticities": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 1.0]}},
            "max_neighbors": {"values": {"size": "max_neighbors"}},
            "confinement": {"values": {"uniform": [0.05, 0.5]}},
            "densities": {"role": "out", "shape": ["n"]},
            "accelerations": {"role": "out", "shape": ["n"]},
        },
    },
}

PARTS = ["estimate_poly6_density", "compute_acceleration"]
