"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def simulate_lookback(
    spots: wp.array(dtype=float),
    rate: float,
    volatility: float,
    dt: float,
    num_steps: int,
    seed: int,
    payoffs: wp.array(dtype=float),
):
    """Discounted payoff of a floating-strike lookback call along a path."""
    path = wp.tid()
    rng = wp.rand_init(seed, path)
    log_spot = wp.log(spots[path])
    lowest = log_spot
    drift = (rate - 0.5 * volatility * volatility) * dt
    diffusion = volatility * wp.sqrt(dt)
    for _step in range(num_steps):
        log_spot += drift + diffusion * wp.randn(rng)
        lowest = wp.min(lowest, log_spot)
    discount = wp.exp(-rate * dt * float(num_steps))
    payoffs[path] = discount * (wp.exp(log_spot) - wp.exp(lowest))


LAUNCH = {
    "simulate_lookback": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "spots": {"role": "in", "shape": ["n"], "values": {"uniform": [90.0, 110.0]}},
            "rate": {"values": {"uniform": [0.01, 0.05]}},
            "volatility": {"values": {"uniform": [0.15, 0.35]}},
            "dt": {"values": {"uniform": [0.02, 0.08]}},
            "num_steps": {"values": {"constant": 16}},
            "seed": {"values": {"integers": [0, 10000]}},
            "payoffs": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "simulate_lookback": {"goal": "monte_carlo.option_paths", "ending": "written", "formulas": []},
}
