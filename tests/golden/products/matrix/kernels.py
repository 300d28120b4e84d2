"""Kernels of the category matrix, seed 0: matrices of two to four rows: products, transposes, traces, determinants, solves."""

import warp as wp


@wp.kernel
def solve_system(
    couplings: wp.array(dtype=wp.mat22),
    loads: wp.array(dtype=wp.vec2),
    solutions: wp.array(dtype=wp.vec2),
):
    """Solution of each 2 by 2 system by Cramer's rule."""
    i = wp.tid()
    coupling = couplings[i]
    load = loads[i]
    system = coupling + wp.diag(wp.vec2(5.0, 5.0))
    determinant = wp.max(wp.determinant(system), 1.0)
    x = (load[0] * system[1, 1] - system[0, 1] * load[1]) / determinant
    y = (system[0, 0] * load[1] - load[0] * system[1, 0]) / determinant
    solutions[i] = wp.vec2(x, y)


LAUNCH = {
    "solve_system": {
        "dims": ["n"],
        "parameters": {
            "couplings": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "loads": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "solutions": {"role": "out", "shape": ["n"]},
        },
    },
}
