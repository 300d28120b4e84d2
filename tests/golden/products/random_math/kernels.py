"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


# quantiles of 0 and 1 may be infinite
MARGIN = wp.constant(1.0e-6)


@wp.func
def quantile_of(u: float, first: float, second: float):
    """Return a quantile of the Kumaraswamy distribution with parameters first and second."""
    return wp.pow(1.0 - wp.pow(1.0 - u, 1.0 / second), 1.0 / first)


@wp.kernel
def kumaraswamy_variates(
    a: wp.array(dtype=float),
    b: wp.array(dtype=float),
    num_draws: int,
    seed: int,
    variates: wp.array2d(dtype=float),
):
    """Draw Kumaraswamy variates by inversion, with one uniform number per stratum."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    for k in range(num_draws):
        u = (float(k) + wp.randf(rng)) / float(num_draws)
        u = wp.clamp(u, MARGIN, 1.0 - MARGIN)
        variates[k, i] = quantile_of(u, a[i], b[i])


LAUNCH = {
    "kumaraswamy_variates": {
        "sizes": {"count": "(n + 7) // 8 + 1", "num_draws": "8"},
        "difficulty": "easy",
        "dims": ["count"],
        "parameters": {
            "a": {"role": "in", "shape": ["count"], "values": {"uniform": [1.0, 3.0]}},
            "b": {"role": "in", "shape": ["count"], "values": {"uniform": [1.0, 3.0]}},
            "num_draws": {"values": {"size": "num_draws"}},
            "seed": {"values": {"integers": [0, 10000]}},
            "variates": {"role": "out", "shape": ["num_draws", "count"]},
        },
    },
}

MADE_OF = {
    "kumaraswamy_variates": {"goal": "random_math.inverse_transform", "ending": "written", "formulas": []},
}
