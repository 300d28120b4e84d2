"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


HUB_HEIGHT = wp.constant(120.0)


@wp.func
def barometric_pressure(altitude: float, air_temperature: float, sea_level_pressure: float):
    """Pressure by the barometric formula."""
    scale_height = 29.27 * (air_temperature + 273.15)
    return sea_level_pressure * wp.exp(-altitude / scale_height)


@wp.func
def bolton_pressure(air_temperature: float):
    """Saturation vapour pressure by the formula of Bolton."""
    return 6.112 * wp.exp(17.67 * air_temperature / (air_temperature + 243.5))


@wp.func
def humid_vapor_pressure(humidity: float, saturation_pressure: float):
    """Vapour pressure from the relative humidity."""
    return 0.01 * humidity * saturation_pressure


@wp.func
def vapor_mixing_ratio(vapor_pressure: float, pressure: float):
    """Mixing ratio from vapour pressure and pressure."""
    return 0.622 * vapor_pressure / (pressure - vapor_pressure)


@wp.func
def moist_temperature(air_temperature: float, mixing_ratio: float):
    """Virtual temperature."""
    return (air_temperature + 273.15) * (1.0 + 0.61 * mixing_ratio)


@wp.func
def moist_air_density(pressure: float, virtual_temperature: float):
    """Air density by the gas law of moist air."""
    return pressure / (2.8705 * virtual_temperature)


@wp.kernel
def compute_wind_power(
    measured_winds: wp.array(dtype=wp.float32),
    altitudes: wp.array(dtype=wp.float32),
    air_temperatures: wp.array(dtype=wp.float32),
    humidities: wp.array(dtype=wp.float32),
    surface_temperatures: wp.array(dtype=wp.float32),
    sea_level_pressure: float,
    rated_speed: float,
    wind_powers: wp.array(dtype=wp.float32),
    felt_temperatures: wp.array(dtype=wp.float32),
    heat_fluxes: wp.array(dtype=wp.float32),
):
    """Compute the wind power of each station by the curve of a turbine. The wind speed is computed
    at the height of a hub by a logarithmic profile and the air density is computed by the gas law
    of moist air. The felt temperature is computed as well, by the heat index on hot days. The heat
    flux is computed as well, by the bulk formula."""
    i = wp.tid()
    altitude = altitudes[i]
    measured_wind = measured_winds[i]
    wind_speed = measured_wind * wp.log(HUB_HEIGHT / 0.1) / wp.log(100.0)
    humidity = humidities[i]
    air_temperature = air_temperatures[i]
    pressure = barometric_pressure(altitude, air_temperature, sea_level_pressure)
    saturation_pressure = bolton_pressure(air_temperature)
    vapor_pressure = humid_vapor_pressure(humidity, saturation_pressure)
    mixing_ratio = vapor_mixing_ratio(vapor_pressure, pressure)
    virtual_temperature = moist_temperature(air_temperature, mixing_ratio)
    air_density = moist_air_density(pressure, virtual_temperature)
    wind_power = 0.5 * air_density * wind_speed * wind_speed * wind_speed
    if wind_speed < 3.0 or wind_speed > 24.0:
        wind_power = 0.0
    elif wind_speed > rated_speed:
        wind_power = 0.5 * air_density * rated_speed * rated_speed * rated_speed
    wind_powers[i] = wind_power
    felt_temperature = (
        (
            -8.785
            + 1.6114 * air_temperature
            + 2.3385 * humidity
            - 0.14612 * air_temperature * humidity
            - 0.012308 * air_temperature * air_temperature
            - 0.016425 * humidity * humidity
            + 0.0022117 * air_temperature * air_temperature * humidity
            + 0.00072546 * air_temperature * humidity * humidity
            - 3.582e-6 * air_temperature * air_temperature * humidity * humidity
        )
        if air_temperature > 27.0
        else air_temperature
    )
    felt_temperatures[i] = felt_temperature
    surface_temperature = surface_temperatures[i]
    heat_flux = 1005.0 * air_density * 0.0022 * wind_speed * (surface_temperature - air_temperature)
    heat_fluxes[i] = heat_flux


LAUNCH = {
    "compute_wind_power": {
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "measured_winds": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 24.0]}},
            "altitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 2500.0]}},
            "air_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [-15.0, 40.0]}},
            "humidities": {"role": "in", "shape": ["n"], "values": {"uniform": [15.0, 98.0]}},
            "surface_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [-10.0, 50.0]}},
            "sea_level_pressure": {"values": {"uniform": [990.0, 1030.0]}},
            "rated_speed": {"values": {"uniform": [11.0, 14.0]}},
            "wind_powers": {"role": "out", "shape": ["n"]},
            "felt_temperatures": {"role": "out", "shape": ["n"]},
            "heat_fluxes": {"role": "out", "shape": ["n"]},
        },
    },
}
