"""Kernels of the category fem, seed 0.

Finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems, beams.
"""

import warp as wp


@wp.func
def gauss_point(k: int):
    """Point k of the two-point Gauss rule on [-1, 1]."""
    return wp.where(k == 0, -0.57735027, 0.57735027)


@wp.kernel
def q1_row_sum_mass(
    offsets: wp.array2d(dtype=wp.vec2),
    spacing: float,
    density: wp.array2d(dtype=float),
    masses: wp.array2d(dtype=float),
):
    """Lumped mass of bilinear quadrilaterals by row sums by 2 x 2 Gauss quadrature; nodes are
    offset from a regular grid."""
    i, j = wp.tid()
    x0 = spacing * offsets[i, j]
    x1 = spacing * (offsets[i, j + 1] + wp.vec2(1.0, 0.0))
    x2 = spacing * (offsets[i + 1, j + 1] + wp.vec2(1.0, 1.0))
    x3 = spacing * (offsets[i + 1, j] + wp.vec2(0.0, 1.0))
    element = wp.vec4()
    for p in range(2):
        for q in range(2):
            xi = gauss_point(p)
            eta = gauss_point(q)
            d_xi = 0.25 * wp.vec4(eta - 1.0, 1.0 - eta, 1.0 + eta, -1.0 - eta)
            d_eta = 0.25 * wp.vec4(xi - 1.0, -1.0 - xi, 1.0 + xi, 1.0 - xi)
            t_xi = d_xi[0] * x0 + d_xi[1] * x1 + d_xi[2] * x2 + d_xi[3] * x3
            t_eta = d_eta[0] * x0 + d_eta[1] * x1 + d_eta[2] * x2 + d_eta[3] * x3
            det = t_xi[0] * t_eta[1] - t_xi[1] * t_eta[0]
            shape = 0.25 * wp.vec4(
                (1.0 - xi) * (1.0 - eta),
                (1.0 + xi) * (1.0 - eta),
                (1.0 + xi) * (1.0 + eta),
                (1.0 - xi) * (1.0 + eta),
            )
            element += det * shape
    element *= density[i, j]
    wp.atomic_add(masses, i, j, element[0])
    wp.atomic_add(masses, i, j + 1, element[1])
    wp.atomic_add(masses, i + 1, j + 1, element[2])
    wp.atomic_add(masses, i + 1, j, element[3])


LAUNCH = {
    "q1_row_sum_mass": {
        "sizes": {"rows": "(n + 31) // 32 + 2", "cols": "32"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["rows", "cols"],
        "parameters": {
            "offsets": {"role": "in", "shape": ["rows + 1", "cols + 1"], "values": {"uniform": [-0.2, 0.2]}},
            "spacing": {"values": {"uniform": [0.5, 1.5]}},
            "density": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.5, 2.0]}},
            "masses": {"role": "inout", "shape": ["rows + 1", "cols + 1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "q1_row_sum_mass": {"goal": "fem.quad_quadrature", "ending": "written", "formulas": []},
}
