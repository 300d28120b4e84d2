"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: integrals, walks, lattice models, prices of options, sampling, diffusion, bootstrap.
"""

import warp as wp


@wp.kernel
def accept_or_reject(n: int, rng_seed: int, samples: wp.array(dtype=wp.float32)):
    """A sample of a triangular density by rejection, after at most 8 tries. A small term tells how
    many tries it took."""
    i = wp.tid()
    if i >= n:
        return
    rng = wp.rand_init(rng_seed, i)
    x = float(0.0)
    tries = int(0)
    accepted = int(0)
    while accepted == 0 and tries < 8:
        tries = tries + 1
        x = wp.randf(rng, -1.0, 1.0)
        if wp.randf(rng) < 1.0 - wp.abs(x):
            accepted = 1
    sample = 0.6 * x + 0.05 * float(tries)
    samples[i] = sample


LAUNCH = {
    "accept_or_reject": {
        "difficulty": "hard",
        "dims": ["(n + 31) // 32 * 32"],
        "parameters": {
            "n": {"values": {"size": "n"}},
            "rng_seed": {"values": {"integers": [0, 10001]}},
            "samples": {"role": "out", "shape": ["n"]},
        },
    },
}
