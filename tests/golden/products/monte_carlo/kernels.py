"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.func
def sequence_point(i: int, num_points: int):
    """Return point i of Korobov's lattice rule with the generating vector (1, 19)."""
    return wp.vec2(float(i) / float(num_points), float(19 * i % num_points) / float(num_points))


@wp.func
def gaussian(x: wp.vec2, a: wp.vec2, u: wp.vec2):
    """Evaluate Genz's gaussian integrand on the unit square."""
    d = wp.cw_mul(a, x - u)
    return wp.exp(-wp.dot(d, d))


@wp.kernel
def quasi_monte_carlo(
    difficulties: wp.array(dtype=wp.vec2),
    locations: wp.array(dtype=wp.vec2),
    num_points: int,
    seed: int,
    integrals: wp.array(dtype=float),
):
    """Integrate Genz's gaussian functions over the unit square by a lattice rule with a random
    shift for each function, folded by the tent transform. difficulties holds how steep a function
    is along each axis."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    shift = wp.vec2(wp.randf(rng), wp.randf(rng))
    total = float(0.0)
    for k in range(num_points):
        point = sequence_point(k, num_points) + shift
        point = wp.vec2(wp.frac(point[0]), wp.frac(point[1]))
        point = wp.vec2(1.0 - wp.abs(2.0 * point[0] - 1.0), 1.0 - wp.abs(2.0 * point[1] - 1.0))
        total += gaussian(point, difficulties[i], locations[i])
    integrals[i] = total / float(num_points)


LAUNCH = {
    "quasi_monte_carlo": {
        "sizes": {"count": "(n + 15) // 16 + 1"},
        "difficulty": "easy",
        "dims": ["count"],
        "parameters": {
            "difficulties": {"role": "in", "shape": ["count"], "values": {"uniform": [1.0, 4.0]}},
            "locations": {"role": "in", "shape": ["count"], "values": {"uniform": [0.2, 0.8]}},
            "num_points": {"values": {"constant": 48}},
            "seed": {"values": {"integers": [0, 10000]}},
            "integrals": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "quasi_monte_carlo": {"goal": "monte_carlo.quasi_monte_carlo", "ending": "written", "formulas": []},
}
