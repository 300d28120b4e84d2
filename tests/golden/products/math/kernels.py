"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


TEMPERATURE_EXPONENT = wp.constant(0.7)


@wp.kernel
def compute_reaction_rate(
    temperatures: wp.array(dtype=wp.float32),
    concentrations: wp.array(dtype=wp.float32),
    frequency_factor: float,
    order: float,
    reaction_rates: wp.array(dtype=wp.float32),
):
    """Compute the reaction rate of each mixture by a power law. The rate constant is computed by
    the modified Arrhenius law."""
    i = wp.tid()
    temperature = temperatures[i]
    scaled = temperature / 298.0
    rate_constant = (
        frequency_factor
        * wp.pow(scaled, TEMPERATURE_EXPONENT)
        * wp.exp(-44.0 / (0.008314 * temperature))
    )
    concentration = concentrations[i]
    reaction_rate = rate_constant * wp.pow(concentration, order)
    reaction_rates[i] = reaction_rate


LAUNCH = {
    "compute_reaction_rate": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [280.0, 400.0]}},
            "concentrations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 3.0]}},
            "frequency_factor": {"values": {"uniform": [100.0, 900.0]}},
            "order": {"values": {"uniform": [0.5, 2.5]}},
            "reaction_rates": {"role": "out", "shape": ["n"]},
        },
    },
}
