"""Kernels of the category fem, seed 0.

Finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems, beams.
"""

import warp as wp


@wp.kernel
def eval_cantilever_deflection(
    lengths: wp.array(dtype=wp.float32),
    second_moments: wp.array(dtype=wp.float32),
    youngs_modulus: float,
    tip_load: float,
    deflections: wp.array(dtype=wp.float32),
):
    """Tip deflection of a cantilever."""
    beam = wp.tid()
    length = lengths[beam]
    bending_stiffness = youngs_modulus * second_moments[beam]
    deflections[beam] = tip_load * length * length * length / (3.0 * bending_stiffness)


LAUNCH = {
    "eval_cantilever_deflection": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 3.0]}},
            "second_moments": {"role": "in", "shape": ["n"], "values": {"uniform": [0.001, 0.05]}},
            "youngs_modulus": {"values": {"uniform": [1.0, 9.0]}},
            "tip_load": {"values": {"uniform": [0.1, 2.0]}},
            "deflections": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eval_cantilever_deflection": {"goal": "meshes.cantilever_deflection", "ending": "per_element", "formulas": ["meshes.cantilever_deflection", "meshes.section_stiffness"]},
}
