"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


@wp.struct
class MixtureParams:
    """Parameters of all mixtures."""

    top_rate: float
    half_saturation: float
    inhibition_constant: float


@wp.kernel
def compute_enzyme_rate(
    concentrations: wp.array(dtype=wp.float32),
    options: MixtureParams,
    enzyme_rates: wp.array(dtype=wp.float32),
):
    """Per-mixture enzyme rate under substrate inhibition."""
    mixture = wp.tid()
    concentration = concentrations[mixture]
    enzyme_rates[mixture] = (
        options.top_rate
        * concentration
        / (
            options.half_saturation
            + concentration
            + concentration * concentration / options.inhibition_constant
        )
    )


LAUNCH = {
    "compute_enzyme_rate": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "concentrations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 3.0]}},
            "options": {"values": {"members": {"top_rate": {"uniform": [0.5, 4.0]}, "half_saturation": {"uniform": [0.3, 2.0]}, "inhibition_constant": {"uniform": [0.2, 2.0]}}}},
            "enzyme_rates": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_enzyme_rate": {"goal": "chemistry.substrate_inhibited_rate", "ending": "per_element", "formulas": ["chemistry.substrate_inhibited_rate"]},
}
