"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: integrals, walks, lattice models, prices of options, sampling, diffusion, bootstrap.
"""

import warp as wp


@wp.func
def energy(place: float):
    """The energy of a washboard."""
    return 0.5 * (place * place) + 1.2 * wp.cos(4.0 * place)


@wp.kernel
def anneal(
    starts: wp.array(dtype=wp.float32),
    seed: int,
    step_size: float,
    inverse_temperature: float,
    accepted_steps: wp.array(dtype=wp.int32),
    places: wp.array(dtype=wp.float32),
):
    """Where 6 Metropolis steps in the energy of a washboard end."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    x = starts[i]
    accepted = int(0)
    for step in range(6):
        trial = x + step_size * wp.randf(rng, -1.0, 1.0)
        rise = energy(trial) - energy(x)
        if wp.randf(rng) < wp.exp(-inverse_temperature * wp.max(rise, 0.0)):
            x = trial
            accepted = accepted + 1
    accepted_steps[i] = accepted
    places[i] = x


LAUNCH = {
    "anneal": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "starts": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "seed": {"values": {"integers": [0, 10001]}},
            "step_size": {"values": {"uniform": [0.1, 0.8]}},
            "inverse_temperature": {"values": {"uniform": [0.5, 2.0]}},
            "accepted_steps": {"role": "out", "shape": ["n"]},
            "places": {"role": "out", "shape": ["n"]},
        },
    },
}
