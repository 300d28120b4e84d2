"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def growth_step(
    populations: wp.array(dtype=wp.float32),
    next_values: wp.array(dtype=wp.float32),
    count: int,
    dt: float,
    rate: float,
    capacity: float,
):
    """Logistic growth of each population over one step. The next value is multiplied by 5.0."""
    i = wp.tid()
    if i >= count:
        return
    population = populations[i]
    next_value = (population + dt * (rate * population * (1.0 - population / capacity))) * 5.0
    next_values[i] = next_value


LAUNCH = {
    "growth_step": {
        "difficulty": "easy",
        "dims": ["(n + 63) // 64 * 64"],
        "parameters": {
            "populations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 3.0]}},
            "next_values": {"role": "out", "shape": ["n"]},
            "count": {"values": {"size": "n"}},
            "dt": {"values": {"uniform": [0.01, 0.2]}},
            "rate": {"values": {"uniform": [0.2, 1.5]}},
            "capacity": {"values": {"uniform": [2.0, 5.0]}},
        },
    },
}
