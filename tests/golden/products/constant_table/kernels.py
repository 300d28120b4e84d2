"""Kernels of the category constant_table, seed 0.

Constant memory: filter taps, palettes, quadrature rules, permutations, lookup tables.
"""

import warp as wp


@wp.kernel
def permutation_noise(
    permutation: wp.array(dtype=wp.int32),
    gradients: wp.array(dtype=wp.float32),
    xs: wp.array2d(dtype=wp.float32),
    ys: wp.array2d(dtype=wp.float32),
    frequency: float,
    heights: wp.array2d(dtype=wp.float32),
):
    """Cubic value noise in two dimensions."""
    j, i = wp.tid()
    y = ys[j, i]
    fx = xs[j, i] * frequency
    cx = int(wp.floor(fx))
    tx = fx - float(cx)
    fy = y * frequency
    cy = int(wp.floor(fy))
    ty = fy - float(cy)
    v00 = gradients[permutation[(permutation[cx & 31] + cy) & 31]]
    v10 = gradients[permutation[(permutation[(cx + 1) & 31] + cy) & 31]]
    v01 = gradients[permutation[(permutation[cx & 31] + (cy + 1)) & 31]]
    v11 = gradients[permutation[(permutation[(cx + 1) & 31] + (cy + 1)) & 31]]
    sx = tx * tx * (3.0 - 2.0 * tx)
    sy = ty * ty * (3.0 - 2.0 * ty)
    lower = wp.lerp(v00, v10, sx)
    upper = wp.lerp(v01, v11, sx)
    heights[j, i] = wp.abs(wp.lerp(lower, upper, sy))


LAUNCH = {
    "permutation_noise": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "difficulty": "expert",
        "dims": ["ny", "nx"],
        "parameters": {
            "permutation": {"role": "in", "shape": ["32"], "memory": "constant", "values": {"permutation": "32"}},
            "gradients": {"role": "in", "shape": ["32"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "xs": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [0.0, 12.0]}},
            "ys": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [0.0, 12.0]}},
            "frequency": {"values": {"uniform": [0.1, 0.45]}},
            "heights": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}
