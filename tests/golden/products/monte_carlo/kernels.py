"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def compute_metropolis_second_moment(
    inverse_temperatures: wp.array(dtype=wp.float32),
    well_depths: wp.array(dtype=wp.float32),
    seed: int,
    step_size: float,
    total_second_moment: wp.array(dtype=wp.float32),
):
    """Sum the Metropolis second moment in a quartic well over all chains."""
    idx = wp.tid()
    rng = wp.rand_init(seed, idx)
    inverse_temperature = inverse_temperatures[idx]
    well_depth = well_depths[idx]
    x = wp.randf(rng, -1.0, 1.0)
    square_sum = float(0.0)
    for step in range(16):
        trial = wp.clamp(x + step_size * wp.randf(rng, -1.0, 1.0), -1.5, 1.5)
        rise = well_depth * trial * trial * trial * trial - well_depth * x * x * x * x
        if wp.randf(rng) < wp.exp(-inverse_temperature * wp.max(rise, 0.0)):
            x = trial
        square_sum = square_sum + x * x
    second_moment = square_sum / 16.0
    wp.atomic_add(total_second_moment, 0, second_moment)


LAUNCH = {
    "compute_metropolis_second_moment": {
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "inverse_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 3.0]}},
            "well_depths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "seed": {"values": {"integers": [0, 10001]}},
            "step_size": {"values": {"uniform": [0.2, 0.8]}},
            "total_second_moment": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "compute_metropolis_second_moment": {"goal": "monte_carlo.metropolis_quartic_spread", "ending": "total_by_atomics", "formulas": ["monte_carlo.metropolis_quartic_spread", "monte_carlo.drawn_start"]},
}
