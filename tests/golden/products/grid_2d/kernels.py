"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: fields and their differences, flows, height fields, automata.
"""

import warp as wp


@wp.kernel
def compute_velocity(
    momenta: wp.array2d(dtype=wp.vec2d),
    depths: wp.array2d(dtype=wp.float64),
    velocities: wp.array2d(dtype=wp.vec2d),
):
    """Computes the velocity of each cell from momentum and depth."""
    y, x = wp.tid()
    momentum = momenta[y, x]
    depth = depths[y, x]
    velocity = momentum / wp.max(depth, wp.float64(0.06))
    velocities[y, x] = velocity


@wp.kernel
def damped_jacobi_pressure_kernel(
    old_pressures: wp.array2d(dtype=wp.float64),
    velocities: wp.array2d(dtype=wp.vec2d),
    dx: wp.float64,
    height: int,
    width: int,
    pressures: wp.array2d(dtype=wp.float64),
):
    """Relax the pressure of each cell by one damped Jacobi iteration. The flow divergence is
    computed by central differences. Beyond the border the nearest element counts."""
    y, x = wp.tid()
    old_pressure = old_pressures[y, x]
    up = velocities[wp.max(y - 1, 0), x]
    down = velocities[wp.min(y + 1, height - 1), x]
    left = velocities[y, wp.max(x - 1, 0)]
    right = velocities[y, wp.min(x + 1, width - 1)]
    divergence = (
        (down[1] - up[1]) / (wp.float64(2.0) * dx) + (right[0] - left[0]) / (wp.float64(2.0) * dx)
    )
    up_old_pressure = old_pressures[wp.max(y - 1, 0), x]
    down_old_pressure = old_pressures[wp.min(y + 1, height - 1), x]
    left_old_pressure = old_pressures[y, wp.max(x - 1, 0)]
    right_old_pressure = old_pressures[y, wp.min(x + 1, width - 1)]
    jacobi_value = (
        (
            up_old_pressure
            + down_old_pressure
            + left_old_pressure
            + right_old_pressure
            - dx * dx * divergence
        )
        / wp.float64(4.0)
    )
    pressure = wp.lerp(old_pressure, jacobi_value, wp.float64(0.5))
    pressures[y, x] = pressure


LAUNCH = {
    "cell_pressure": {
        "sizes": {"height": "min(n // 2 + 5, 48)", "width": "(n + 47) // 48"},
        "difficulty": "hard",
        "steps": [
            {
                "kernel": "compute_velocity",
                "dims": ["height", "width"],
                "arguments": {"velocities": "velocities", "momenta": "momenta", "depths": "depths"},
            },
            {
                "kernel": "damped_jacobi_pressure_kernel",
                "dims": ["height", "width"],
                "arguments": {"velocities": "velocities", "pressures": "pressures", "old_pressures": "old_pressures", "dx": "dx", "height": "height", "width": "width"},
            },
        ],
        "parameters": {
            "momenta": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "depths": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.5, 2.0]}},
            "old_pressures": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "velocities": {"role": "out", "shape": ["height", "width"]},
            "pressures": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

PARTS = ["compute_velocity", "damped_jacobi_pressure_kernel"]
