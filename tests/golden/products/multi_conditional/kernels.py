"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def wind_turbine_power_curve(
    measured_winds: wp.array(dtype=wp.float32),
    air_densities: wp.array(dtype=wp.float32),
    count: int,
    height: float,
    shear_exponent: float,
    rated_speed: float,
    total_wind_power: wp.array(dtype=wp.float32),
):
    """Sum of the wind power over all stations. Each block adds its sum by one atomic."""
    block, thread = wp.tid()
    s = block * 256 + thread
    wind_power = float(0.0)
    if s < count:
        measured_wind = measured_winds[s]
        wind_speed = measured_wind * wp.pow(height / 10.0, shear_exponent)
        air_density = air_densities[s]
        power = float(0.0)
        if wind_speed < 3.0 or wind_speed > 24.0:
            power = 0.0
        elif wind_speed > rated_speed:
            power = 0.5 * air_density * rated_speed * rated_speed * rated_speed
        else:
            power = 0.5 * air_density * wind_speed * wind_speed * wind_speed
        wind_power = power
    block_total = wp.tile_sum(wp.tile(wind_power))
    wp.tile_atomic_add(total_wind_power, block_total)


LAUNCH = {
    "wind_turbine_power_curve": {
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["(n + 255) // 256"],
        "block_dim": 256,
        "parameters": {
            "measured_winds": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 24.0]}},
            "air_densities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.9, 1.4]}},
            "count": {"values": {"size": "n"}},
            "height": {"values": {"uniform": [2.0, 100.0]}},
            "shear_exponent": {"values": {"uniform": [0.1, 0.3]}},
            "rated_speed": {"values": {"uniform": [11.0, 14.0]}},
            "total_wind_power": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "wind_turbine_power_curve": {"goal": "weather.turbine_power", "ending": "total_by_blocks", "formulas": ["weather.turbine_power", "weather.power_law_wind_speed"]},
}
