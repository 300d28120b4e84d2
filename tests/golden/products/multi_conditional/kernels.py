"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


# acceleration of gravity over the gas constant of air, in K/m
HYDROSTATIC = wp.constant(0.0341632)


@wp.func
def layer_pressure(
    height: float,
    base: float,
    base_pressure: float,
    base_temperature: float,
    lapse: float,
):
    """Return the pressure in a layer whose temperature changes linearly with height, in Pa."""
    temperature = base_temperature + lapse * (height - base)
    return base_pressure * wp.pow(base_temperature / temperature, HYDROSTATIC / lapse)


@wp.kernel
def atmosphere_temperature(
    altitudes: wp.array(dtype=float),
    temperatures: wp.array(dtype=float),
    pressures: wp.array(dtype=float),
):
    """Compute the temperature in K and pressure in Pa of the standard atmosphere at geopotential
    altitudes up to 32 km, in m."""
    i = wp.tid()
    h = altitudes[i]
    if h < 11000.0:
        t = 288.15 - 0.0065 * h
        p = layer_pressure(h, 0.0, 101325.0, 288.15, -0.0065)
    elif h < 20000.0:
        # the tropopause has one temperature
        t = 216.65
        p = 22632.06 * wp.exp(-HYDROSTATIC * (h - 11000.0) / 216.65)
    else:
        t = 216.65 + 0.001 * (h - 20000.0)
        p = layer_pressure(h, 20000.0, 5474.889, 216.65, 0.001)
    temperatures[i] = t
    pressures[i] = p


LAUNCH = {
    "atmosphere_temperature": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "altitudes": {"role": "in", "shape": ["n"], "values": {"integers": [0, 32000]}},
            "temperatures": {"role": "out", "shape": ["n"]},
            "pressures": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "atmosphere_temperature": {"goal": "multi_conditional.standard_atmosphere", "ending": "written", "formulas": []},
}
