"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def real_sh_basis(view_directions: wp.array(dtype=wp.vec3), basis: wp.array2d(dtype=float)):
    """Evaluate the real spherical harmonics up to degree 1 in each direction. Within a degree,
    coefficients are in ascending order of m. View directions are unit vectors."""
    i = wp.tid()
    n = view_directions[i]
    x = n[0]
    y = n[1]
    z = n[2]
    basis[i, 0] = 0.28209479
    basis[i, 1] = 0.48860251 * y
    basis[i, 2] = 0.48860251 * z
    basis[i, 3] = 0.48860251 * x


LAUNCH = {
    "real_sh_basis": {
        "difficulty": "easy",
        "sizes": {"num_view_directions": "n"},
        "dims": ["num_view_directions"],
        "parameters": {
            "view_directions": {"role": "in", "shape": ["num_view_directions"], "values": {"unit": [-1.0, 1.0]}},
            "basis": {"role": "out", "shape": ["num_view_directions", "4"]},
        },
    },
}

MADE_OF = {
    "real_sh_basis": {"goal": "math.spherical_harmonics", "ending": "written", "formulas": []},
}
