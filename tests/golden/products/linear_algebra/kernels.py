"""Kernels of the category linear_algebra, seed 0.

Linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals.
"""

import warp as wp


STRENGTH = wp.constant(0.9)


@wp.kernel
def richardson_unknown(
    unknowns: wp.array(dtype=wp.float32),
    right_sides: wp.array(dtype=wp.float32),
    values: wp.array2d(dtype=wp.float32),
    band_offsets: wp.array(dtype=wp.int32),
    num_bands: int,
    count: int,
    step_length: float,
    new_unknowns: wp.array(dtype=wp.float32),
):
    """Richardson iteration (residual of a diagonally regularized system)."""
    i = wp.tid()
    unknown = unknowns[i]
    right_side = right_sides[i]
    product = float(0.0)
    for band in range(num_bands):
        j = i + band_offsets[band]
        if j >= 0 and j < count:
            product += values[band, i] * unknowns[j]
    residual = right_side - product - STRENGTH * unknown
    new_unknowns[i] = unknown + step_length * residual


LAUNCH = {
    "richardson_unknown": {
        "sizes": {"bands": "7"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "unknowns": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "right_sides": {"role": "in", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "values": {"role": "in", "shape": ["bands", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "band_offsets": {"role": "in", "shape": ["bands"], "values": {"integers": [-9, 10]}},
            "num_bands": {"values": {"size": "bands"}},
            "count": {"values": {"size": "n"}},
            "step_length": {"values": {"uniform": [0.1, 1.0]}},
            "new_unknowns": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "richardson_unknown": {"goal": "equations.richardson_unknown", "ending": "per_element", "formulas": ["equations.richardson_unknown", "equations.regularized_residual"]},
}
