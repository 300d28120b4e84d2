"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def real_sh_basis(view_directions: wp.array(dtype=wp.vec3), basis: wp.array2d(dtype=float)):
    """Evaluate the real spherical harmonics up to degree 1 in each direction; basis[k, i] is
    function k in direction i. Within a degree, functions are in ascending order of m. View
    directions are unit vectors. The Condon-Shortley phase is left out."""
    i = wp.tid()
    n = view_directions[i]
    x = n[0]
    y = n[1]
    z = n[2]
    basis[0, i] = 0.28209479
    basis[1, i] = 0.48860251 * y
    basis[2, i] = 0.48860251 * z
    basis[3, i] = 0.48860251 * x


LAUNCH = {
    "real_sh_basis": {
        "difficulty": "easy",
        "sizes": {"num_view_directions": "n"},
        "dims": ["num_view_directions"],
        "parameters": {
            "view_directions": {"role": "in", "shape": ["num_view_directions"], "values": {"unit": [-1.0, 1.0]}},
            "basis": {"role": "out", "shape": ["4", "num_view_directions"]},
        },
    },
}

MADE_OF = {
    "real_sh_basis": {"goal": "math.spherical_harmonics", "ending": "written", "formulas": []},
}
