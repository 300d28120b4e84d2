"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


SEA_LEVEL_PRESSURE = wp.constant(1013.0)
RATED_SPEED = wp.constant(12.0)
BUCK_OFFSET = wp.constant(257.14)
BUCK_CURVE = wp.constant(234.5)
BUCK_SLOPE = wp.constant(18.678)
BUCK_PRESSURE = wp.constant(6.1121)
DRY_AIR_CONSTANT = wp.constant(2.8705)
VIRTUAL_SHARE = wp.constant(0.61)
ZERO_CELSIUS = wp.constant(273.15)
VAPOR_MASS_RATIO = wp.constant(0.622)
METERS_PER_KELVIN = wp.constant(29.27)


@wp.func
def logarithmic_wind_speed(measured_wind: float, height: float, roughness: float):
    """Wind speed at another height by a logarithmic profile."""
    return measured_wind * wp.log(height / roughness) / wp.log(10.0 / roughness)


@wp.func
def buck_pressure(air_temperature: float):
    """Saturation vapour pressure by the formula of Buck."""
    return (
        BUCK_PRESSURE
        * wp.exp(
            (BUCK_SLOPE - air_temperature / BUCK_CURVE)
            * (air_temperature / (BUCK_OFFSET + air_temperature))
        )
    )


@wp.kernel
def compute_wind_power(
    measured_winds: wp.array(dtype=wp.float32),
    altitudes: wp.array(dtype=wp.float32),
    air_temperatures: wp.array(dtype=wp.float32),
    humidities: wp.array(dtype=wp.float32),
    height: float,
    roughness: float,
    wind_powers: wp.array(dtype=wp.float32),
):
    """Compute the wind power of each station by the curve of a turbine. Take the wind speed at
    another height by a logarithmic profile, the pressure by the barometric formula, and the air
    density by the gas law of moist air."""
    i = wp.tid()
    measured_wind = measured_winds[i]
    wind_speed = logarithmic_wind_speed(measured_wind, height, roughness)
    altitude = altitudes[i]
    air_temperature = air_temperatures[i]
    scale_height = METERS_PER_KELVIN * (air_temperature + ZERO_CELSIUS)
    pressure = SEA_LEVEL_PRESSURE * wp.exp(-altitude / scale_height)
    humidity = humidities[i]
    saturation_pressure = buck_pressure(air_temperature)
    vapor_pressure = 0.01 * humidity * saturation_pressure
    mixing_ratio = VAPOR_MASS_RATIO * vapor_pressure / (pressure - vapor_pressure)
    virtual_temperature = (air_temperature + ZERO_CELSIUS) * (1.0 + VIRTUAL_SHARE * mixing_ratio)
    air_density = pressure / (DRY_AIR_CONSTANT * virtual_temperature)
    wind_power = float(0.0)
    if wind_speed < 3.0 or wind_speed > 24.0:
        wind_power = 0.0
    elif wind_speed > RATED_SPEED:
        wind_power = 0.5 * air_density * RATED_SPEED * RATED_SPEED * RATED_SPEED
    else:
        wind_power = 0.5 * air_density * wind_speed * wind_speed * wind_speed
    wind_powers[i] = wind_power


LAUNCH = {
    "compute_wind_power": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "measured_winds": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 24.0]}},
            "altitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 2500.0]}},
            "air_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [-15.0, 40.0]}},
            "humidities": {"role": "in", "shape": ["n"], "values": {"uniform": [15.0, 98.0]}},
            "height": {"values": {"uniform": [2.0, 100.0]}},
            "roughness": {"values": {"uniform": [0.01, 0.5]}},
            "wind_powers": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_wind_power": {"goal": "weather.turbine_power", "ending": "per_element", "formulas": ["weather.turbine_power", "weather.logarithmic_wind_speed", "weather.moist_air_density", "weather.barometric_pressure", "weather.moist_temperature", "weather.vapor_mixing_ratio", "weather.humid_vapor_pressure", "weather.buck_pressure"]},
}
