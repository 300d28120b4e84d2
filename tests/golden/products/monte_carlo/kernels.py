"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def compute_hyperbola_area(
    sides: wp.array(dtype=wp.float64),
    opening: wp.float64,
    samples: int,
    seed: int,
    areas: wp.array(dtype=wp.float64),
):
    """Compute the area of a hyperbolic cross by Monte Carlo."""
    square = wp.tid()
    side = sides[square]
    rng = wp.rand_init(seed, square)
    total = wp.float64(0.0)
    for sample in range(samples):
        x = wp.float64(wp.randf(rng, -1.0, 1.0))
        y = wp.float64(wp.randf(rng, -1.0, 1.0))
        total = (
            total
            + (wp.float64(1.0) if wp.abs(x * y) < wp.float64(0.5) * opening else wp.float64(0.0))
        )
    areas[square] = side * side * (total / wp.float64(samples))


LAUNCH = {
    "compute_hyperbola_area": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "sides": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "opening": {"values": {"uniform": [0.2, 0.8]}},
            "samples": {"values": {"integers": [8, 33]}},
            "seed": {"values": {"integers": [0, 10001]}},
            "areas": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_hyperbola_area": {"goal": "monte_carlo.hyperbola_area", "ending": "per_element", "formulas": ["monte_carlo.hyperbola_area"]},
}
