"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def subtract_projections(
    basis: wp.array2d(dtype=wp.float64),
    projections: wp.array(dtype=wp.float64),
    w: wp.array(dtype=wp.float64),
    norm_sq: wp.array(dtype=wp.float64),
):
    """Subtract the projections of a new Krylov vector w onto the rows of basis, as in classical
    Gram-Schmidt, and add the squared norm of what remains to norm_sq, which must start at zero. A
    second pass, with new projections and norm_sq set to zero again, makes w orthogonal to the rows
    to rounding error."""
    i = wp.tid()
    rest = w[i]
    for k in range(basis.shape[0]):
        rest -= projections[k] * basis[k, i]
    w[i] = rest
    wp.atomic_add(norm_sq, 0, rest * rest)


LAUNCH = {
    "subtract_projections": {
        "difficulty": "hard",
        "equality": "bounded",
        "sizes": {"num_vectors": "12"},
        "dims": ["n"],
        "parameters": {
            "basis": {"role": "in", "shape": ["num_vectors", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "projections": {"role": "in", "shape": ["num_vectors"], "values": {"uniform": [-0.5, 0.5]}},
            "w": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "norm_sq": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "subtract_projections": {"goal": "arithmetic.vector_update", "ending": "written", "formulas": []},
}
