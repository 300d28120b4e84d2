"""Kernels of the category random_math, seed 0.

Random numbers per thread: noise, sampling, walks, small Monte Carlo estimates.
"""

import warp as wp


@wp.kernel
def transformed_sample(seed: int, n: int, deviates: wp.array(dtype=wp.float32)):
    """Normal deviate by the Box-Muller transform."""
    tid = wp.tid()
    i = n - 1 - tid
    rng = wp.rand_init(seed, i)
    u = wp.randf(rng)
    angle = 6.2832 * wp.randf(rng)
    deviate = 1.2 * wp.sqrt(-2.0 * wp.log(1.0 - u)) * wp.sin(angle)
    deviates[i] = deviate


LAUNCH = {
    "transformed_sample": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "seed": {"values": {"integers": [0, 10000]}},
            "n": {"values": {"size": "n"}},
            "deviates": {"role": "out", "shape": ["n"]},
        },
    },
}
