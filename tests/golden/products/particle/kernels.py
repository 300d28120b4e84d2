"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.kernel
def estimate_lucy_density(
    positions: wp.array(dtype=wp.vec3),
    masses: wp.array(dtype=wp.float32),
    neighbors: wp.array2d(dtype=wp.int32),
    smoothing_radius: float,
    max_neighbors: int,
    densities: wp.array(dtype=wp.float32),
):
    """Estimate the density of each particle from the masses of the neighbors under Lucy's
    kernel."""
    i = wp.tid()
    position = positions[i]
    density = masses[i] * (2.08891 / (smoothing_radius * smoothing_radius * smoothing_radius))
    for slot in range(max_neighbors):
        j = neighbors[i, slot]
        if j < 0:
            break
        distance = wp.length(position - positions[j])
        q = wp.min(distance / smoothing_radius, 1.0)
        gap = 1.0 - q
        square = gap * gap
        density += (
            masses[j]
            * (
                2.08891
                / (smoothing_radius * smoothing_radius * smoothing_radius)
                * (square * gap * (1.0 + 3.0 * q))
            )
        )
    densities[i] = density


@wp.kernel
def sum_viscosity_force(
    positions: wp.array(dtype=wp.vec3),
    velocities: wp.array(dtype=wp.vec3),
    densities: wp.array(dtype=wp.float32),
    masses: wp.array(dtype=wp.float32),
    temperatures: wp.array(dtype=wp.float32),
    neighbors: wp.array2d(dtype=wp.int32),
    viscosity_forces: wp.array(dtype=wp.vec3),
    reference_viscosity: float,
    sutherland_constant: float,
    smoothing_radius: float,
    max_neighbors: int,
):
    """Sum the viscosity force of each particle from the neighbors' relative velocities. The
    viscosity is computed by Sutherland's law of temperature."""
    p = wp.tid()
    position = positions[p]
    velocity = velocities[p]
    temperature = temperatures[p]
    root = wp.sqrt(temperature)
    viscosity = (
        reference_viscosity
        * root
        * root
        * root
        * (1.0 + sutherland_constant)
        / (temperature + sutherland_constant)
    )
    velocity_sum = wp.vec3(0.0, 0.0, 0.0)
    for slot in range(max_neighbors):
        j = neighbors[p, slot]
        if j < 0:
            break
        distance = wp.length(positions[j] - position)
        if distance < smoothing_radius:
            share = masses[j] / densities[j] * (smoothing_radius - distance)
            velocity_sum += share * (velocities[j] - velocity)
    viscosity_forces[p] = viscosity * velocity_sum


LAUNCH = {
    "laplacian_viscosity_kernel": {
        "description": "Sum the viscosity force of each particle from the neighbors' relative velocities.",
        "sizes": {"max_neighbors": "8"},
        "difficulty": "expert",
        "steps": [
            {
                "kernel": "estimate_lucy_density",
                "dims": ["n"],
                "arguments": {"densities": "densities", "positions": "positions", "masses": "masses", "neighbors": "neighbors", "smoothing_radius": "smoothing_radius", "max_neighbors": "max_neighbors"},
            },
            {
                "kernel": "sum_viscosity_force",
                "dims": ["n"],
                "arguments": {"densities": "densities", "viscosity_forces": "viscosity_forces", "positions": "positions", "velocities": "velocities", "masses": "masses", "temperatures": "temperatures", "neighbors": "neighbors", "reference_viscosity": "reference_viscosity", "sutherland_constant": "sutherland_constant", "smoothing_radius": "smoothing_radius", "max_neighbors": "max_neighbors"},
            },
        ],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.5]}},
            "neighbors": {"role": "in", "shape": ["n", "max_neighbors"], "values": {"integers": [-1, "n"]}},
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 1.0]}},
            "densities": {"role": "out", "shape": ["n"]},
            "viscosity_forces": {"role": "out", "shape": ["n"]},
            "smoothing_radius": {"values": {"uniform": [0.6, 1.2]}},
            "max_neighbors": {"values": {"size": "max_neighbors"}},
            "reference_viscosity": {"values": {"uniform": [0.05, 0.3]}},
            "sutherland_constant": {"values": {"uniform": [0.2, 0.5]}},
        },
    },
}

MADE_OF = {
    "laplacian_viscosity_kernel": {"goal": "fluid.laplacian_viscosity", "ending": "launched", "formulas": ["fluid.laplacian_viscosity", "fluid.lucy_density", "fluid.sutherland_viscosity"]},
}

PARTS = ["estimate_lucy_density", "sum_viscosity_force"]
