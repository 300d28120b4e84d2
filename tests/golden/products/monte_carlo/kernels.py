"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.func
def log_density(x: wp.vec2, shape: float):
    """Return the logarithm of Rosenbrock's banana-shaped density, up to a constant."""
    bend = x[1] - shape * x[0] * x[0]
    return -0.5 * x[0] * x[0] - 2.0 * bend * bend


@wp.func
def score(x: wp.vec2, shape: float):
    """Return the gradient of the log density."""
    bend = x[1] - shape * x[0] * x[0]
    return wp.vec2(8.0 * shape * x[0] * bend - x[0], -4.0 * bend)


@wp.kernel
def hamiltonian_monte_carlo(
    starts: wp.array(dtype=wp.vec2),
    shape: float,
    step_size: float,
    num_leaps: int,
    num_samples: int,
    seed: int,
    means: wp.array(dtype=wp.vec2),
    variances: wp.array(dtype=wp.vec2),
):
    """Run Hamiltonian Monte Carlo chains with leapfrog trajectories on a banana-shaped density, and
    return the mean and variance of the samples of each."""
    chain = wp.tid()
    rng = wp.rand_init(seed, chain)
    x = starts[chain]
    total = wp.vec2(0.0, 0.0)
    square_total = wp.vec2(0.0, 0.0)
    for _step in range(num_samples):
        momentum = wp.vec2(wp.randn(rng), wp.randn(rng))
        before = log_density(x, shape) - 0.5 * wp.length_sq(momentum)
        proposal = x
        momentum += 0.5 * step_size * score(proposal, shape)
        for leap in range(num_leaps):
            proposal += step_size * momentum
            kick = wp.where(leap + 1 < num_leaps, step_size, 0.5 * step_size)
            momentum += kick * score(proposal, shape)
        after = log_density(proposal, shape) - 0.5 * wp.length_sq(momentum)
        if wp.randf(rng) < wp.exp(after - before):
            x = proposal
        total += x
        square_total += wp.cw_mul(x, x)
    mean = total / float(num_samples)
    means[chain] = mean
    variances[chain] = square_total / float(num_samples) - wp.cw_mul(mean, mean)


LAUNCH = {
    "hamiltonian_monte_carlo": {
        "sizes": {"chains": "(n + 15) // 16 + 1"},
        "difficulty": "medium",
        "dims": ["chains"],
        "parameters": {
            "starts": {"role": "in", "shape": ["chains"], "values": {"uniform": [-1.0, 1.0]}},
            "shape": {"values": {"uniform": [0.3, 0.6]}},
            "step_size": {"values": {"uniform": [0.1, 0.2]}},
            "num_leaps": {"values": {"constant": 4}},
            "num_samples": {"values": {"constant": 32}},
            "seed": {"values": {"integers": [0, 10000]}},
            "means": {"role": "out", "shape": ["chains"]},
            "variances": {"role": "out", "shape": ["chains"]},
        },
    },
}

MADE_OF = {
    "hamiltonian_monte_carlo": {"goal": "monte_carlo.markov_chains", "ending": "written", "formulas": []},
}
