"""Kernels of the category fem, seed 0.

Finite elements: nodes of elements, shape functions, gradients, quadrature, strain and stress.
"""

import warp as wp


@wp.func
def get_sxx(lam: float, mixed_exx: float, eyy: float, mu: float):
    """The sxx, from lam, mixed exx, eyy and mu."""
    return lam * (mixed_exx + eyy) + 2.0 * mu * mixed_exx


@wp.kernel
def hooke_stress(
    exxes: wp.array2d(dtype=wp.float32),
    other_exxes: wp.array(dtype=wp.float32),
    shares: wp.array(dtype=wp.float32),
    eyy_map: wp.array(dtype=wp.int32),
    eyies: wp.array(dtype=wp.float32),
    exies: wp.array(dtype=wp.float32),
    youngs: wp.array(dtype=wp.float32),
    responses: wp.array(dtype=wp.vec3),
):
    """Stress in Voigt's notation by Hooke's law in plane strain; Poisson's ratio is 0.24. Column 1
    of exxes holds the exx. Two arrays are mixed to give the exx. eyy_map says where the eyy is.
    Component 0 of the output changes its sign."""
    i = wp.tid()
    exy = exies[i]
    exx = exxes[i, 1]
    mu = youngs[i] / 2.48
    lam = youngs[i] * 0.3722
    sxy = 2.0 * mu * exy
    other_exx = other_exxes[i]
    mixed_exx = wp.lerp(exx, other_exx, shares[i])
    eyy = eyies[eyy_map[i]]
    sxx = get_sxx(lam, mixed_exx, eyy, mu)
    syy = lam * (mixed_exx + eyy) + 2.0 * mu * eyy
    response = wp.vec3(sxx, syy, sxy)
    adjusted_response = wp.vec3(-response[0], response[1], response[2])
    responses[i] = adjusted_response


LAUNCH = {
    "hooke_stress": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "exxes": {"role": "in", "shape": ["n", "2"], "values": {"uniform": [-0.5, 0.5]}},
            "other_exxes": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "shares": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 0.8]}},
            "eyy_map": {"role": "in", "shape": ["n"], "values": {"integers": [0, "n"]}},
            "eyies": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "exies": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "youngs": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 5.0]}},
            "responses": {"role": "out", "shape": ["n"]},
        },
    },
}
