"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


@wp.func
def saturation_pressure(celsius: float):
    """Return the saturation vapor pressure over water in hPa by the Magnus formula."""
    return 6.1094 * wp.exp(17.625 * celsius / (celsius + 243.04))


@wp.func
def mixing_ratio(vapor_pressure: float, pressure: float):
    """Return the mass of water vapor per mass of dry air. 0.622 is the ratio of their molar
    masses."""
    return 0.622 * vapor_pressure / (pressure - vapor_pressure)


@wp.kernel
def moist_air_density(
    air_temperatures: wp.array(dtype=float),
    humidities: wp.array(dtype=float),
    pressure: float,
    densities: wp.array(dtype=float),
):
    """Compute the density of humid air in kg / m^3 from temperature in degrees Celsius, relative
    humidity in [0, 1] and pressure in hPa, by way of the virtual temperature."""
    i = wp.tid()
    w = mixing_ratio(humidities[i] * saturation_pressure(air_temperatures[i]), pressure)
    kelvin = air_temperatures[i] + 273.15
    virtual_temperature = kelvin * (1.0 + w / 0.622) / (1.0 + w)
    densities[i] = 100.0 * pressure / (287.05 * virtual_temperature)


LAUNCH = {
    "moist_air_density": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "air_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [-10.0, 40.0]}},
            "humidities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 0.9]}},
            "pressure": {"values": {"uniform": [900.0, 1020.0]}},
            "densities": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "moist_air_density": {"goal": "function.humid_air", "ending": "written", "formulas": []},
}
