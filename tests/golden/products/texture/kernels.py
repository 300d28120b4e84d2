"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.kernel
def compute_diffusive_upwind_transport(
    velocities: wp.array2d(dtype=wp.vec2),
    concentrations: wp.array2d(dtype=wp.float32),
    advection_rates: wp.array2d(dtype=wp.float32),
    dx: float,
    rows: int,
    cols: int,
):
    """Compute the advection rate of each cell by central differences with upwind diffusion.
    Neighbors outside the grid are zero."""
    row, col = wp.tid()
    velocity = velocities[row, col]
    concentration = concentrations[row, col]
    up = concentrations[row - 1, col] if row >= 1 else 0.0
    down = concentrations[row + 1, col] if row + 1 < rows else 0.0
    left = concentrations[row, col - 1] if col >= 1 else 0.0
    right = concentrations[row, col + 1] if col + 1 < cols else 0.0
    transport_y = (
        0.5 * velocity[1] * (down - up)
        - 0.5 * wp.abs(velocity[1]) * (up + down - 2.0 * concentration)
    )
    transport_x = (
        0.5 * velocity[0] * (right - left)
        - 0.5 * wp.abs(velocity[0]) * (left + right - 2.0 * concentration)
    )
    advection_rate = -(transport_y + transport_x) / dx
    advection_rates[row, col] = advection_rate


LAUNCH = {
    "compute_diffusive_upwind_transport": {
        "sizes": {"rows": "(n + 36) // 37", "cols": "min(n // 2 + 6, 37)"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "velocities": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "concentrations": {"role": "in", "shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "advection_rates": {"role": "out", "shape": ["rows", "cols"]},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
        },
    },
}

MADE_OF = {
    "compute_diffusive_upwind_transport": {"goal": "fields.diffusive_upwind_transport", "ending": "per_element", "formulas": ["fields.diffusive_upwind_transport"]},
}
