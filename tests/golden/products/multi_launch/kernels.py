"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid.
"""

import warp as wp


DX = wp.constant(0.18)
DT = wp.constant(0.006)


@wp.kernel
def advect_concentration(
    concentrations: wp.array(dtype=wp.float32),
    velocities: wp.array(dtype=wp.float32),
    count: int,
    next_concentrations: wp.array(dtype=wp.float32),
):
    """Advect the concentration by one explicit step. Uses the central-difference advection term.
    Indices are clamped at both ends."""
    i = wp.tid()
    left = concentrations[wp.max(i - 1, 0)]
    right = concentrations[wp.min(i + 1, count - 1)]
    advection_rate = -(velocities[i] * ((right - left) / (2.0 * DX)))
    next_concentrations[i] = concentrations[i] + DT * advection_rate


LAUNCH = {
    "advect_concentration_2": {
        "description": "4 steps: advect the concentration by one explicit step.",
        "difficulty": "hard",
        "steps": [
            {"repeat": 2, "steps": [
                {
                    "kernel": "advect_concentration",
                    "dims": ["n"],
                    "arguments": {"concentrations": "concentrations", "next_concentrations": "next_concentrations", "velocities": "velocities", "count": "count"},
                },
                {
                    "kernel": "advect_concentration",
                    "dims": ["n"],
                    "arguments": {"concentrations": "next_concentrations", "next_concentrations": "concentrations", "velocities": "velocities", "count": "count"},
                },
            ]},
        ],
        "parameters": {
            "velocities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "concentrations": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "next_concentrations": {"role": "out", "shape": ["n"]},
            "count": {"values": {"size": "n"}},
        },
    },
}

MADE_OF = {
    "advect_concentration_2": {"goal": "fields.advected_concentration", "ending": "stepped", "formulas": ["fields.advected_concentration", "fields.centered_transport"]},
}

PARTS = ["advect_concentration"]
