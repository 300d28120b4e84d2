"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def compute_antithetic_monte_carlo_integral(
    lowers: wp.array(dtype=wp.float64),
    widths: wp.array(dtype=wp.float64),
    steepness_values: wp.array(dtype=wp.float64),
    samples: int,
    seed: int,
    integrals: wp.array(dtype=wp.float64),
):
    """Antithetic Monte Carlo integral of a Lorentz curve for each interval."""
    interval = wp.tid()
    lower = lowers[interval]
    width = widths[interval]
    steepness = steepness_values[interval]
    state = wp.rand_init(seed, interval)
    total = wp.float64(0.0)
    for sample in range(samples):
        u = wp.float64(wp.randf(state))
        x = lower + width * u
        other_x = lower + width * (wp.float64(1.0) - u)
        total = (
            total
            + wp.float64(0.5)
            * (
                wp.float64(1.0) / (wp.float64(1.0) + steepness * x * x)
                + wp.float64(1.0) / (wp.float64(1.0) + steepness * other_x * other_x)
            )
        )
    integrals[interval] = width * total / wp.float64(samples)


LAUNCH = {
    "compute_antithetic_monte_carlo_integral": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lowers": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "widths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "steepness_values": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "samples": {"values": {"integers": [8, 33]}},
            "seed": {"values": {"integers": [0, 10001]}},
            "integrals": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_antithetic_monte_carlo_integral": {"goal": "monte_carlo.antithetic_lorentzian", "ending": "per_element", "formulas": ["monte_carlo.antithetic_lorentzian"]},
}
