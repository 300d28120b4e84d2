"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def sh_filter(
    view_directions: wp.array(dtype=wp.vec3),
    coeffs: wp.array(dtype=float),
    band_gains: wp.array(dtype=float),
    values: wp.array(dtype=float),
):
    """Evaluate a filtered expansion in spherical harmonics; every degree has a gain."""
    i = wp.tid()
    n = wp.normalize(view_directions[i])
    x = n[0]
    y = n[1]
    z = n[2]
    constant = 0.28209479 * coeffs[0]
    linear = 0.48860251 * (y * coeffs[1] + z * coeffs[2] + x * coeffs[3])
    quadratic = 1.0925484 * (x * y * coeffs[4] + y * z * coeffs[5] + x * z * coeffs[7])
    quadratic += 0.31539157 * (3.0 * z * z - 1.0) * coeffs[6]
    quadratic += 0.54627422 * (x * x - y * y) * coeffs[8]
    values[i] = band_gains[0] * constant + band_gains[1] * linear + band_gains[2] * quadratic


LAUNCH = {
    "sh_filter": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "view_directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "coeffs": {"role": "in", "shape": ["9"], "values": {"uniform": [-1.0, 1.0]}},
            "band_gains": {"role": "in", "shape": ["3"], "values": {"uniform": [0.2, 1.0]}},
            "values": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sh_filter": {"goal": "math.spherical_harmonics", "ending": "written", "formulas": []},
}
