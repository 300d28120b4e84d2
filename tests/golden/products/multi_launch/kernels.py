"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid.
"""

import warp as wp


WIDTH = wp.constant(0.45)


@wp.kernel
def set_temperature(temperatures: wp.array2d(dtype=wp.float32), peak: float, rows: int, cols: int):
    """Set the temperature of each cell to a Gaussian bump in the middle."""
    i, j = wp.tid()
    place_y = (float(i) + 0.5) / float(rows) - 0.5
    place_x = (float(j) + 0.5) / float(cols) - 0.5
    away = (place_y * place_y + place_x * place_x) / (2.0 * WIDTH * WIDTH)
    temperature = peak * wp.exp(-away)
    temperatures[i, j] = temperature


DX = wp.constant(0.35)
HEAT_CAPACITY = wp.constant(1.9)


@wp.func
def arrhenius_source(temperature: float, prefactor: float, activation_energy: float):
    """Heat source by Arrhenius' law of combustion."""
    return prefactor * wp.exp(-activation_energy / wp.max(temperature, 0.05))


@wp.kernel
def compute_stored_heat(
    temperatures: wp.array2d(dtype=wp.float32),
    prefactor: float,
    activation_energy: float,
    conductance: float,
    rows: int,
    cols: int,
    thermal_energies: wp.array2d(dtype=wp.float32),
):
    """Compute the thermal energy of each cell after the step. Take the heat source by Arrhenius'
    law of combustion and relax the temperature towards the steady state by one Jacobi iteration.
    Neighbors outside the grid are clamped to its border."""
    i, j = wp.tid()
    temperature = temperatures[i, j]
    heat_source = arrhenius_source(temperature, prefactor, activation_energy)
    up = temperatures[wp.max(i - 1, 0), j]
    down = temperatures[wp.min(i + 1, rows - 1), j]
    left = temperatures[i, wp.max(j - 1, 0)]
    right = temperatures[i, wp.min(j + 1, cols - 1)]
    new_temperature = (up + down + left + right + DX * DX * heat_source / conductance) / 4.0
    thermal_energies[i, j] = HEAT_CAPACITY * new_temperature


LAUNCH = {
    "cell_thermal_energy": {
        "description": "Compute the thermal energy of each cell after the step.",
        "sizes": {"rows": "(n + 63) // 64", "cols": "min(n // 2 + 8, 64)"},
        "difficulty": "hard",
        "steps": [
            {
                "kernel": "set_temperature",
                "dims": ["rows", "cols"],
                "arguments": {"temperatures": "temperatures", "peak": "peak", "rows": "rows", "cols": "cols"},
            },
            {
                "kernel": "compute_stored_heat",
                "dims": ["rows", "cols"],
                "arguments": {"temperatures": "temperatures", "thermal_energies": "thermal_energies", "prefactor": "prefactor", "activation_energy": "activation_energy", "conductance": "conductance", "rows": "rows", "cols": "cols"},
            },
        ],
        "parameters": {
            "temperatures": {"role": "out", "shape": ["rows", "cols"]},
            "thermal_energies": {"role": "out", "shape": ["rows", "cols"]},
            "peak": {"values": {"uniform": [0.1, 0.9]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "prefactor": {"values": {"uniform": [0.5, 2.0]}},
            "activation_energy": {"values": {"uniform": [0.5, 2.0]}},
            "conductance": {"values": {"uniform": [0.5, 2.0]}},
        },
    },
}

MADE_OF = {
    "cell_thermal_energy": {"goal": "fields.stored_heat", "ending": "launched", "formulas": ["fields.stored_heat", "fields.jacobi_temperature", "fields.gaussian_temperature", "fields.arrhenius_source"]},
}

PARTS = ["set_temperature", "compute_stored_heat"]
