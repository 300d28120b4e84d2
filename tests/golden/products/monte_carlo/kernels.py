"""Kernels of the category monte_carlo, seed 0.

Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers.
"""

import warp as wp


@wp.kernel
def resample_deviation(
    data: wp.array(dtype=float),
    sample_size: int,
    seed: int,
    deviations: wp.array(dtype=float),
    moments: wp.array(dtype=float),
):
    """Standard deviation of bootstrap replicates, drawn from the sample with replacement; the
    moments give its standard error."""
    replicate = wp.tid()
    rng = wp.rand_init(seed, replicate)
    x_sum = float(0.0)
    xx_sum = float(0.0)
    for _draw in range(sample_size):
        k = wp.randi(rng, 0, sample_size)
        dx = data[k] - data[0]
        x_sum += dx
        xx_sum += dx * dx
    x_mean = x_sum / float(sample_size)
    value = wp.sqrt(wp.max(xx_sum / float(sample_size) - x_mean * x_mean, 0.0))
    deviations[replicate] = value
    wp.atomic_add(moments, 0, value)
    wp.atomic_add(moments, 1, value * value)


LAUNCH = {
    "resample_deviation": {
        "sizes": {"replicates": "(n + 7) // 8 + 1"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["replicates"],
        "parameters": {
            "data": {"role": "in", "shape": ["64"], "values": {"uniform": [0.0, 3.0]}},
            "sample_size": {"values": {"size": "64"}},
            "seed": {"values": {"integers": [0, 10000]}},
            "deviations": {"role": "out", "shape": ["replicates"]},
            "moments": {"role": "inout", "shape": ["2"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "resample_deviation": {"goal": "monte_carlo.bootstrap", "ending": "written", "formulas": []},
}
