"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def advance_mapped_prey(
    prey_densities: wp.array(dtype=wp.float32),
    capacities: wp.array(dtype=wp.float32),
    new_prey_densities: wp.array(dtype=wp.float32),
    top_growth: float,
    generations: int,
):
    """Advance the prey of each patch by some generations of the logistic map."""
    i = wp.tid()
    prey = prey_densities[i]
    capacity = capacities[i]
    share = wp.min(prey / capacity, 0.95)
    for _ in range(generations):
        share = wp.clamp(share + top_growth * share * (1.0 - share), 0.0, 1.0)
    new_prey = share * capacity
    new_prey_densities[i] = new_prey


LAUNCH = {
    "advance_mapped_prey": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "prey_densities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 3.0]}},
            "capacities": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 4.0]}},
            "new_prey_densities": {"role": "out", "shape": ["n"]},
            "top_growth": {"values": {"uniform": [0.3, 1.2]}},
            "generations": {"values": {"integers": [3, 13]}},
        },
    },
}
