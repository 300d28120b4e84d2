"""Kernels of the category matrix, seed 0.

Matrices of two to four rows: products, transposes, traces, determinants, solves.
"""

import warp as wp


@wp.kernel
def solve_system(
    couplings: wp.array(dtype=wp.mat22),
    loads: wp.array(dtype=wp.vec2),
    stiffnesses: wp.array(dtype=wp.float32),
    solutions: wp.array(dtype=wp.vec2),
    load_scale: float,
):
    """Solution of each 2 by 2 system by Cramer's rule."""
    i = wp.tid()
    coupling = couplings[i]
    scaled_load = load_scale * loads[i]
    system = coupling + wp.diag(wp.vec2(stiffnesses[i], stiffnesses[i]))
    determinant = wp.determinant(system)
    first = (scaled_load[0] * system[1, 1] - system[0, 1] * scaled_load[1]) / determinant
    second = (system[0, 0] * scaled_load[1] - scaled_load[0] * system[1, 0]) / determinant
    solutions[i] = wp.vec2(first, second)


LAUNCH = {
    "solve_system": {
        "dims": ["n"],
        "parameters": {
            "couplings": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "loads": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "stiffnesses": {"role": "in", "shape": ["n"], "values": {"uniform": [3.0, 6.0]}},
            "solutions": {"role": "out", "shape": ["n"]},
            "load_scale": {"values": {"uniform": [0.5, 0.95]}},
        },
    },
}
