"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def estimate_integral(
    lowers: wp.array(dtype=wp.float32),
    uppers: wp.array(dtype=wp.float32),
    steepness_values: wp.array(dtype=wp.float32),
    integrals: wp.array(dtype=wp.float32),
    samples: int,
    seed: int,
):
    """Estimate the integral of each interval by samples that favour the lower end of a decaying
    wave."""
    interval = wp.tid()
    lower = lowers[interval]
    upper = uppers[interval]
    width = upper - lower
    steepness = steepness_values[interval]
    rng = wp.rand_init(seed, interval)
    total = float(0.0)
    for sample in range(samples):
        u = 1.0 - wp.sqrt(1.0 - wp.randf(rng))
        x = lower + width * u
        total = total + 0.5 * (wp.exp(-steepness * x) * wp.cos(4.0 * x)) / (1.0 - u)
    integral = width * total / float(samples)
    integrals[interval] = integral


LAUNCH = {
    "estimate_integral": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lowers": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "uppers": {"role": "in", "shape": ["n"], "values": {"uniform": [1.5, 3.0]}},
            "steepness_values": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "integrals": {"role": "out", "shape": ["n"]},
            "samples": {"values": {"integers": [8, 33]}},
            "seed": {"values": {"integers": [0, 10001]}},
        },
    },
}

MADE_OF = {
    "estimate_integral": {"goal": "monte_carlo.weighted_decaying_wave", "ending": "per_element", "formulas": ["monte_carlo.weighted_decaying_wave", "monte_carlo.width_between"]},
}
