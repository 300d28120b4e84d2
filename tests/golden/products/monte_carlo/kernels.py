"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: integrals, walks, lattice models, prices of options, sampling, diffusion, bootstrap.
"""

import warp as wp


@wp.struct
class AnnealParams:
    """Settings for anneal."""

    step_size: float
    inverse_temperature: float


@wp.func
def energy(place: float):
    """The energy of a washboard."""
    return 0.5 * (place * place) + 0.8 * wp.cos(4.0 * place)


@wp.kernel
def anneal(
    seeds: wp.array2d(dtype=wp.int32),
    starts: wp.array2d(dtype=wp.float32),
    nx: int,
    options: AnnealParams,
    accepted_steps: wp.array2d(dtype=wp.int32),
    places: wp.array2d(dtype=wp.float32),
):
    """Where 10 cooling Metropolis steps in the energy of a washboard end."""
    j, i = wp.tid()
    rng = wp.rand_init(seeds[j, i], j * nx + i)
    x = starts[j, i]
    beta = options.inverse_temperature
    accepted = int(0)
    for step in range(10):
        trial = x + options.step_size * wp.randf(rng, -1.0, 1.0)
        own_energy = energy(x)
        rise = energy(trial) - own_energy
        if wp.randf(rng) < wp.exp(-beta * wp.max(rise, 0.0)):
            x = trial
            accepted = accepted + 1
        beta = beta * 1.3
    accepted_steps[j, i] = accepted
    places[j, i] = x


LAUNCH = {
    "anneal": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "difficulty": "expert",
        "dims": ["ny", "nx"],
        "parameters": {
            "seeds": {"role": "in", "shape": ["ny", "nx"], "values": {"integers": [0, 10001]}},
            "starts": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "nx": {"values": {"size": "nx"}},
            "options": {"values": {"members": {"step_size": {"uniform": [0.1, 0.8]}, "inverse_temperature": {"uniform": [0.5, 2.0]}}}},
            "accepted_steps": {"role": "out", "shape": ["ny", "nx"]},
            "places": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}
