"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


RATED_SPEED = wp.constant(14.0)
DRY_AIR_CONSTANT = wp.constant(2.8705)
VIRTUAL_SHARE = wp.constant(0.61)
ZERO_CELSIUS = wp.constant(273.15)


@wp.kernel
def turbine_power(
    measured_winds: wp.array(dtype=wp.float32),
    pressures: wp.array(dtype=wp.float32),
    air_temperatures: wp.array(dtype=wp.float32),
    mixing_ratios: wp.array(dtype=wp.float32),
    height: float,
    roughness: float,
    total_wind_power: wp.array(dtype=wp.float32),
):
    """Sum the wind power of all stations by the curve of a turbine. Take the wind speed at another
    height by a logarithmic profile and the air density by the gas law of moist air."""
    s = wp.tid()
    measured_wind = measured_winds[s]
    wind_speed = measured_wind * wp.log(height / roughness) / wp.log(10.0 / roughness)
    pressure = pressures[s]
    air_temperature = air_temperatures[s]
    mixing_ratio = mixing_ratios[s]
    virtual_temperature = (air_temperature + ZERO_CELSIUS) * (1.0 + VIRTUAL_SHARE * mixing_ratio)
    air_density = pressure / (DRY_AIR_CONSTANT * virtual_temperature)
    wind_power = float(0.0)
    if wind_speed < 3.0 or wind_speed > 24.0:
        wind_power = 0.0
    elif wind_speed > RATED_SPEED:
        wind_power = 0.5 * air_density * RATED_SPEED * RATED_SPEED * RATED_SPEED
    else:
        wind_power = 0.5 * air_density * wind_speed * wind_speed * wind_speed
    wp.atomic_add(total_wind_power, 0, wind_power)


LAUNCH = {
    "turbine_power": {
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "measured_winds": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 24.0]}},
            "pressures": {"role": "in", "shape": ["n"], "values": {"uniform": [850.0, 1040.0]}},
            "air_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [-15.0, 40.0]}},
            "mixing_ratios": {"role": "in", "shape": ["n"], "values": {"uniform": [0.001, 0.03]}},
            "height": {"values": {"uniform": [2.0, 100.0]}},
            "roughness": {"values": {"uniform": [0.01, 0.5]}},
            "total_wind_power": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "turbine_power": {"goal": "weather.turbine_power", "ending": "total_by_atomics", "formulas": ["weather.turbine_power", "weather.logarithmic_wind_speed", "weather.moist_air_density", "weather.moist_temperature"]},
}
