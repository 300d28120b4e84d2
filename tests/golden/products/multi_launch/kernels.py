"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps between two arrays.
"""

import warp as wp


@wp.kernel
def engquist_osher_burgers_flux_kernel(
    velocities: wp.array(dtype=wp.float32),
    burgers_fluxes: wp.array(dtype=wp.float32),
    count: int,
):
    """Compute the Burgers flux of each cell by Engquist and Osher's splitting. Beyond the border
    the nearest element counts."""
    cell = wp.tid()
    velocity = velocities[cell]
    right = velocities[wp.min(cell + 1, count - 1)]
    rising = wp.max(velocity, 0.0)
    falling = wp.min(right, 0.0)
    burgers_flux = 0.5 * (rising * rising + falling * falling)
    burgers_fluxes[cell] = burgers_flux


@wp.kernel
def burgers_velocity_kernel(
    velocities: wp.array(dtype=wp.float32),
    burgers_fluxes: wp.array(dtype=wp.float32),
    dt: float,
    dx: float,
    next_velocities: wp.array(dtype=wp.float32),
):
    """Advance the velocity of each cell by the Burgers fluxes through both faces. Beyond the border
    the nearest element counts."""
    cell = wp.tid()
    velocity = velocities[cell]
    left = burgers_fluxes[wp.max(cell - 1, 0)]
    new_velocity = velocity - dt / dx * (burgers_fluxes[cell] - left)
    next_velocities[cell] = new_velocity


LAUNCH = {
    "cell_velocity": {
        "description": "Advance the velocity of each cell by the Burgers fluxes through both faces, 4 times.",
        "difficulty": "easy",
        "steps": [
            {"repeat": 2, "steps": [
                {
                    "kernel": "engquist_osher_burgers_flux_kernel",
                    "dims": ["n"],
                    "arguments": {"velocities": "velocities", "burgers_fluxes": "burgers_fluxes", "count": "count"},
                },
                {
                    "kernel": "burgers_velocity_kernel",
                    "dims": ["n"],
                    "arguments": {"velocities": "velocities", "burgers_fluxes": "burgers_fluxes", "next_velocities": "next_velocities", "dt": "dt", "dx": "dx"},
                },
                {
                    "kernel": "engquist_osher_burgers_flux_kernel",
                    "dims": ["n"],
                    "arguments": {"velocities": "next_velocities", "burgers_fluxes": "burgers_fluxes", "count": "count"},
                },
                {
                    "kernel": "burgers_velocity_kernel",
                    "dims": ["n"],
                    "arguments": {"velocities": "next_velocities", "burgers_fluxes": "burgers_fluxes", "next_velocities": "velocities", "dt": "dt", "dx": "dx"},
                },
            ]},
        ],
        "parameters": {
            "count": {"values": {"size": "n"}},
            "dt": {"values": {"uniform": [0.001, 0.02]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "velocities": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "burgers_fluxes": {"role": "out", "shape": ["n"]},
            "next_velocities": {"role": "out", "shape": ["n"]},
        },
    },
}

PARTS = ["engquist_osher_burgers_flux_kernel", "burgers_velocity_kernel"]
