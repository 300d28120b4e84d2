"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps between two arrays.
"""

import warp as wp


DECAY = wp.constant(7.0)


@wp.kernel
def heated_wall_temperature_kernel(temperatures: wp.array(dtype=wp.float32), count: int):
    """Sets the temperature of each cell to a decay away from a hot wall."""
    i = wp.tid()
    place_x = (float(i) + 0.5) / float(count) - 0.5
    temperature = wp.exp(-DECAY * (place_x + 0.5))
    temperatures[i] = temperature


@wp.kernel
def relax_jacobi_temperature(
    temperatures: wp.array(dtype=wp.float32),
    activation_energy: float,
    dx: float,
    count: int,
    new_temperatures: wp.array(dtype=wp.float32),
):
    """Relax the temperature of each cell towards the steady state by one Jacobi iteration. The heat
    source is computed by Arrhenius' law of combustion. Elements beyond the border count as zero."""
    i = wp.tid()
    right = temperatures[i + 1] if i + 1 < count else 0.0
    left = temperatures[i - 1] if i >= 1 else 0.0
    temperature = temperatures[i]
    heat_source = 1.9 * wp.exp(-activation_energy / wp.max(temperature, 0.05))
    new_temperature = (left + right + dx * dx * heat_source / 1.3) / 2.0
    new_temperatures[i] = new_temperature


LAUNCH = {
    "relax_temperature": {
        "description": "Relax the temperature of each cell towards the steady state by one Jacobi iteration.",
        "difficulty": "easy",
        "steps": [
            {
                "kernel": "heated_wall_temperature_kernel",
                "dims": ["n"],
                "arguments": {"temperatures": "temperatures", "count": "count"},
            },
            {
                "kernel": "relax_jacobi_temperature",
                "dims": ["n"],
                "arguments": {"temperatures": "temperatures", "new_temperatures": "new_temperatures", "activation_energy": "activation_energy", "dx": "dx", "count": "count"},
            },
        ],
        "parameters": {
            "count": {"values": {"size": "n"}},
            "activation_energy": {"values": {"uniform": [0.5, 2.0]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "temperatures": {"role": "out", "shape": ["n"]},
            "new_temperatures": {"role": "out", "shape": ["n"]},
        },
    },
}

PARTS = ["heated_wall_temperature_kernel", "relax_jacobi_temperature"]
