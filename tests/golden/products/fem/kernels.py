"""Kernels of the category fem, seed 0.

Finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems, beams.
"""

import warp as wp


YOUNGS_MODULUS = wp.constant(7.0)
TIP_LOAD = wp.constant(0.6)


@wp.kernel
def cantilever_deflection_kernel(
    lengths: wp.array(dtype=wp.float32),
    second_moments: wp.array(dtype=wp.float32),
    deflections: wp.array(dtype=wp.float32),
):
    """Compute the deflection of each beam at the free end under a tip load, with the bending
    stiffness from Young's modulus and the second moment of area."""
    i = wp.tid()
    length = lengths[i]
    second_moment = second_moments[i]
    bending_stiffness = YOUNGS_MODULUS * second_moment
    deflection = TIP_LOAD * length * length * length / (3.0 * bending_stiffness)
    deflections[i] = deflection


LAUNCH = {
    "cantilever_deflection_kernel": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 3.0]}},
            "second_moments": {"role": "in", "shape": ["n"], "values": {"uniform": [0.001, 0.05]}},
            "deflections": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "cantilever_deflection_kernel": {"goal": "meshes.cantilever_deflection", "ending": "per_element", "formulas": ["meshes.cantilever_deflection", "meshes.section_stiffness"]},
}
