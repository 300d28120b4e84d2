"""Kernels of the category fem, seed 0.

Finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems, beams.
"""

import warp as wp


@wp.kernel
def compute_linear_energy_density(
    rest_inverses: wp.array(dtype=wp.mat33),
    displacements: wp.array(dtype=wp.vec3),
    element_nodes: wp.array(dtype=wp.int32),
    lame_lambda: float,
    lame_mu: float,
    energy_densities: wp.array(dtype=wp.float32),
):
    """Linear elastic energy density (linear elastic stress from Lamé's parameters)."""
    e = wp.tid()
    rest_inverse = rest_inverses[e]
    n0 = element_nodes[4 * e]
    u0 = displacements[n0]
    n1 = element_nodes[4 * e + 1]
    u1 = displacements[n1]
    n2 = element_nodes[4 * e + 2]
    u2 = displacements[n2]
    n3 = element_nodes[4 * e + 3]
    u3 = displacements[n3]
    displacement_gradient = wp.matrix_from_cols(u1 - u0, u2 - u0, u3 - u0) @ rest_inverse
    strain = 0.5 * (displacement_gradient + wp.transpose(displacement_gradient))
    stress = (
        lame_lambda * wp.trace(strain) * wp.identity(n=3, dtype=wp.float32) + 2.0 * lame_mu * strain
    )
    energy_density = 0.5 * wp.ddot(stress, strain)
    energy_densities[e] = energy_density


LAUNCH = {
    "compute_linear_energy_density": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "rest_inverses": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "displacements": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.3, 0.3]}},
            "element_nodes": {"role": "in", "shape": ["4 * n"], "values": {"integers": [0, "n"]}},
            "lame_lambda": {"values": {"uniform": [0.5, 3.0]}},
            "lame_mu": {"values": {"uniform": [0.5, 3.0]}},
            "energy_densities": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_linear_energy_density": {"goal": "elements.linear_energy_density", "ending": "per_element", "formulas": ["elements.linear_energy_density", "elements.hooke_stress", "elements.linear_strain", "elements.nodal_displacement_gradient"]},
}
