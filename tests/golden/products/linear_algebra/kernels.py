"""Kernels of the category linear_algebra, seed 0.

Linear algebra written out: matrix products, rank-one updates, sparse rows, small factorisations.
"""

import warp as wp


@wp.kernel
def factor_entry(
    a_values: wp.array(dtype=wp.float32),
    bs: wp.array(dtype=wp.float32),
    cs: wp.array(dtype=wp.float32),
    factors: wp.array(dtype=wp.float32),
):
    """Product of a Cholesky factor's diagonal less the entry below; the matrix is a^2 + shift, b,
    c^2 + shift."""
    i = wp.tid()
    a = a_values[i]
    b = bs[i]
    c = cs[i]
    l00 = wp.sqrt(a * a + 2.7)
    l10 = b / l00
    rest = c * c + 2.7 - l10 * l10
    l11 = wp.sqrt(wp.max(rest, 0.1))
    factors[i] = l00 * l11 - l10


LAUNCH = {
    "factor_entry": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "a_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "bs": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "cs": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "factors": {"role": "out", "shape": ["n"]},
        },
    },
}
