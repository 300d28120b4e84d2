"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def advance_simulated_infected(
    susceptible_shares: wp.array(dtype=wp.float32),
    infected_shares: wp.array(dtype=wp.float32),
    contact_rates: wp.array(dtype=wp.float32),
    new_infected_shares: wp.array(dtype=wp.float32),
    recovery_rate: float,
    dt: float,
    days: int,
):
    """Advance the infected share of each region by several steps of the SIR model."""
    i = wp.tid()
    infected = infected_shares[i]
    contact_rate = contact_rates[i]
    s = susceptible_shares[i]
    new_infected = infected
    for _ in range(days):
        caught = dt * contact_rate * s * new_infected
        s = s - caught
        new_infected = new_infected + caught - dt * recovery_rate * new_infected
    new_infected_shares[i] = new_infected


LAUNCH = {
    "advance_simulated_infected": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "susceptible_shares": {"role": "in", "shape": ["n"], "values": {"uniform": [0.3, 0.7]}},
            "infected_shares": {"role": "in", "shape": ["n"], "values": {"uniform": [0.001, 0.3]}},
            "contact_rates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 0.8]}},
            "new_infected_shares": {"role": "out", "shape": ["n"]},
            "recovery_rate": {"values": {"uniform": [0.05, 0.3]}},
            "dt": {"values": {"uniform": [0.05, 0.5]}},
            "days": {"values": {"integers": [5, 21]}},
        },
    },
}

MADE_OF = {
    "advance_simulated_infected": {"goal": "ecology.simulated_infected", "ending": "per_element", "formulas": ["ecology.simulated_infected"]},
}
