"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def seed_sites(seed: int, rng_states: wp.array2d(dtype=wp.uint32)):
    """Seed one random number generator per site."""
    y, x = wp.tid()
    rng_states[y, x] = wp.rand_init(seed, y * rng_states.shape[1] + x)


@wp.kernel
def update_color(
    beta: float,
    field: float,
    parity: int,
    rng_states: wp.array2d(dtype=wp.uint32),
    spins: wp.array2d(dtype=int),
):
    """Flip the spins of one color of the checkerboard with the Metropolis probability, on a
    periodic lattice. Height and width must be even, so that all their neighbors have the other
    color."""
    y, half_x = wp.tid()
    x = 2 * half_x + ((y + parity) & 1)
    height = spins.shape[0]
    width = spins.shape[1]
    left = wp.where(x > 0, x - 1, width - 1)
    right = wp.where(x < width - 1, x + 1, 0)
    up = wp.where(y > 0, y - 1, height - 1)
    down = wp.where(y < height - 1, y + 1, 0)
    neighbor_sum = spins[y, right] + spins[y, left]
    neighbor_sum += spins[down, x] + spins[up, x]
    rng = rng_states[y, x]
    energy_change = 2.0 * float(spins[y, x]) * (float(neighbor_sum) + field)
    if wp.randf(rng) < wp.exp(-beta * energy_change):
        spins[y, x] = -spins[y, x]
    rng_states[y, x] = rng


@wp.kernel
def measure(spins: wp.array2d(dtype=int), magnetization: wp.array(dtype=int)):
    """Sum the spins of the lattice, its magnetization."""
    y, x = wp.tid()
    wp.atomic_add(magnetization, 0, spins[y, x])


LAUNCH = {
    "simulate_ising": {
        "description": "Run 3 Metropolis sweeps of the two-dimensional Ising model in a magnetic field, then measure its magnetization.",
        "sizes": {"half_height": "(n + 63) // 64 + 3", "height": "2 * half_height", "width": "32", "half_width": "width // 2"},
        "difficulty": "expert",
        "steps": [
            {"zero": "magnetization"},
            {"kernel": "seed_sites", "dims": ["height", "width"], "arguments": {}},
            {"repeat": 3, "steps": [
                {"kernel": "update_color", "dims": ["height", "half_width"], "arguments": {"parity": 0}},
                {"kernel": "update_color", "dims": ["height", "half_width"], "arguments": {"parity": 1}},
            ]},
            {"kernel": "measure", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "beta": {"values": {"uniform": [0.2, 0.6]}},
            "field": {"values": {"uniform": [0.05, 0.5]}},
            "seed": {"values": {"integers": [0, 10000]}},
            "rng_states": {"role": "out", "shape": ["height", "width"]},
            "spins": {"role": "inout", "shape": ["height", "width"], "values": {"constant": 1}},
            "magnetization": {"role": "out", "shape": ["1"]},
        },
    },
}

MADE_OF = {
    "simulate_ising": {"goal": "monte_carlo.ising_metropolis", "ending": "written", "formulas": []},
}

PARTS = ["seed_sites", "update_color", "measure"]
