"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def luminosity_mass(
    absolute_magnitudes: wp.array(dtype=wp.float32),
    total_star_mass: wp.array(dtype=wp.float32),
):
    """Sum the total mass of all stars by pieces of the mass-luminosity relation. The luminosity is
    computed from the absolute magnitude."""
    i = wp.tid()
    absolute_magnitude = absolute_magnitudes[i]
    star_luminosity = wp.exp(0.921034 * wp.clamp(4.74 - absolute_magnitude, -20.0, 20.0))
    level = wp.log(wp.max(star_luminosity, 1.0e-6))
    exponent = (level - 0.34) / 3.5
    if star_luminosity < 0.033:
        exponent = (level + 1.47) / 2.3
    elif star_luminosity < 16.0:
        exponent = 0.25 * level
    star_mass = wp.exp(exponent)
    wp.atomic_add(total_star_mass, 0, star_mass)


LAUNCH = {
    "luminosity_mass": {
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "absolute_magnitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-5.0, 15.0]}},
            "total_star_mass": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}
