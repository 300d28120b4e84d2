"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: integrals, walks, lattice models, prices of options, sampling, diffusion, bootstrap.
"""

import warp as wp


@wp.kernel
def walk_on_grid(
    starts: wp.array(dtype=wp.int32),
    seed: int,
    outcomes: wp.array(dtype=wp.int32),
    outcome_histogram: wp.array(dtype=wp.int32),
):
    """A walk of 12 steps in the plane between periodic walls; how far it came. The outcome is
    rounded down to a multiple of 5. A histogram counts the result, the last bin all that is
    larger."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    start = starts[i]
    x = start
    y = int(0)
    farthest = int(0)
    for t in range(12):
        way = wp.randi(rng, 0, 4)
        turn = 1 - 2 * (way % 2)
        if way < 2:
            x = (x + turn + 37) % 25 - 12
        else:
            y = (y + turn + 37) % 25 - 12
        farthest = wp.max(farthest, wp.abs(x) + wp.abs(y))
    outcome = farthest // 5 * 5
    outcomes[i] = outcome
    wp.atomic_add(outcome_histogram, wp.min(outcome, 3), 1)


LAUNCH = {
    "walk_on_grid": {
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "starts": {"role": "in", "shape": ["n"], "values": {"integers": [-3, 4]}},
            "seed": {"values": {"integers": [0, 10001]}},
            "outcomes": {"role": "out", "shape": ["n"]},
            "outcome_histogram": {"role": "inout", "shape": ["4"], "values": {"constant": 0}},
        },
    },
}
