"""Kernels of the category fem, seed 0.

Finite elements: nodes of elements, shape functions, gradients, quadrature, strain and stress.
"""

import warp as wp


@wp.kernel
def hooke_stress(
    exx_values: wp.array(dtype=wp.float32),
    eyy_values: wp.array(dtype=wp.float32),
    exy_values: wp.array(dtype=wp.float32),
    youngs_modulus: float,
    shears: wp.array(dtype=wp.float32),
    responses: wp.array(dtype=wp.float32),
):
    """Mean pressure by Hooke's law in plane stress; Poisson's ratio is 0.23. The shear stress is
    stored as well."""
    i = wp.tid()
    factor = youngs_modulus / 0.9471
    exx = exx_values[i]
    exy = exy_values[i]
    syy = factor * (eyy_values[i] + 0.23 * exx)
    sxx = factor * (exx + 0.23 * eyy_values[i])
    sxy = factor * 0.385 * exy
    shears[i] = sxy
    responses[i] = -0.5 * (sxx + syy)


LAUNCH = {
    "hooke_stress": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "exx_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "eyy_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "exy_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "youngs_modulus": {"values": {"uniform": [1.0, 5.0]}},
            "shears": {"role": "out", "shape": ["n"]},
            "responses": {"role": "out", "shape": ["n"]},
        },
    },
}
