"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.kernel
def waiting_times(rates: wp.array(dtype=float), seed: int, times: wp.array(dtype=float)):
    """A waiting time of each rate, by inversion."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    times[i] = -wp.log(1.0 - wp.randf(rng)) / rates[i]


LAUNCH = {
    "waiting_times": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "rates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "seed": {"values": {"integers": [0, 10000]}},
            "times": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "waiting_times": {"goal": "random_math.samplers", "ending": "written", "formulas": []},
}
