"""Kernels of the category fem, seed 0.

Finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems, beams.
"""

import warp as wp


@wp.kernel
def midspan_deflection_kernel(
    lengths: wp.array(dtype=wp.float32),
    second_moments: wp.array(dtype=wp.float32),
    deflections: wp.array(dtype=wp.float32),
):
    """Compute the deflection of each beam at midspan under a line load. The bending stiffness is
    computed from Young's modulus and the second moment of area."""
    i = wp.tid()
    length = lengths[i]
    second_moment = second_moments[i]
    bending_stiffness = 7.0 * second_moment
    deflection = (
        3.0 * length * length * length * length / (384.0 * wp.max(bending_stiffness, 0.001))
    )
    deflections[i] = deflection


LAUNCH = {
    "midspan_deflection_kernel": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 3.0]}},
            "second_moments": {"role": "in", "shape": ["n"], "values": {"uniform": [0.001, 0.05]}},
            "deflections": {"role": "out", "shape": ["n"]},
        },
    },
}
