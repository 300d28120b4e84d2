"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


TETENS_OFFSET = wp.constant(237.29)
TETENS_SLOPE = wp.constant(17.2694)
TETENS_PRESSURE = wp.constant(6.1078)
ICE_OFFSET = wp.constant(265.5)
ICE_SLOPE = wp.constant(21.8746)
ICE_PRESSURE = wp.constant(6.1078)


@wp.kernel
def compute_dalton_evaporation(
    air_temperatures: wp.array(dtype=wp.float32),
    humidities: wp.array(dtype=wp.float32),
    wind_speeds: wp.array(dtype=wp.float32),
    total_evaporation: wp.array(dtype=wp.float32),
):
    """Sum of the Dalton evaporation over all stations."""
    i = wp.tid()
    air_temperature = air_temperatures[i]
    saturation_pressure = float(0.0)
    if air_temperature < 0.0:
        saturation_pressure = (
            ICE_PRESSURE * wp.exp(ICE_SLOPE * air_temperature / (air_temperature + ICE_OFFSET))
        )
    else:
        saturation_pressure = (
            TETENS_PRESSURE
            * wp.exp(TETENS_SLOPE * air_temperature / (air_temperature + TETENS_OFFSET))
        )
    vapor_pressure = 0.01 * humidities[i] * saturation_pressure
    deficit = wp.max(saturation_pressure - vapor_pressure, 0.0)
    evaporation = (0.13 + 0.14 * wind_speeds[i]) * deficit
    wp.atomic_add(total_evaporation, 0, evaporation)


LAUNCH = {
    "compute_dalton_evaporation": {
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "air_temperatures": {"role": "in", "shape": ["n"], "values": {"uniform": [-15.0, 40.0]}},
            "humidities": {"role": "in", "shape": ["n"], "values": {"uniform": [15.0, 98.0]}},
            "wind_speeds": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 25.0]}},
            "total_evaporation": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "compute_dalton_evaporation": {"goal": "weather.dalton_evaporation", "ending": "total_by_atomics", "formulas": ["weather.dalton_evaporation", "weather.phase_saturation", "weather.humid_vapor_pressure"]},
}
