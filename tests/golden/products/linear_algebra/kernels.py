"""Kernels of the category linear_algebra, seed 0.

Linear algebra written out: matrix products, rank-one updates, sparse rows, small factorisations.
"""

import warp as wp


@wp.kernel
def factor_entry(
    a_values: wp.array2d(dtype=wp.float32),
    bs: wp.array2d(dtype=wp.float32),
    cs: wp.array2d(dtype=wp.float32),
    c_baselines: wp.array2d(dtype=wp.float32),
    shift: float,
    factors: wp.array2d(dtype=wp.vec3),
    squared_magnitudes: wp.array2d(dtype=wp.float32),
):
    """Cholesky factor of a 2 by 2 matrix, its three entries in a vector; the matrix is a^2 + shift,
    b, c^2 + shift. A baseline is subtracted from c. The squared magnitude of the factor is stored
    as well."""
    row, col = wp.tid()
    a = a_values[row, col]
    b = bs[row, col]
    c = cs[row, col]
    relative_c = c - c_baselines[row, col]
    l00 = wp.sqrt(a * a + shift)
    l10 = b / l00
    rest = relative_c * relative_c + shift - l10 * l10
    l11 = wp.sqrt(wp.max(rest, 0.1))
    factor = wp.vec3(l00, l10, l11)
    factors[row, col] = factor
    squared_magnitudes[row, col] = wp.length_sq(factor)


LAUNCH = {
    "factor_entry": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "a_values": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.5, 0.5]}},
            "bs": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.5, 0.5]}},
            "cs": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.5, 0.5]}},
            "c_baselines": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.15, 0.15]}},
            "shift": {"values": {"uniform": [1.0, 3.0]}},
            "factors": {"role": "out", "shape": ["rows", "cols"]},
            "squared_magnitudes": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
