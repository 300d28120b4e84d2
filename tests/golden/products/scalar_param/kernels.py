"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def compute_ginzburg_landau_free_energy(
    phases: wp.array(dtype=wp.float32),
    gradient_energy: float,
    dx: float,
    count: int,
    free_energies: wp.array(dtype=wp.float32),
):
    """Compute the Ginzburg-Landau free energy of each cell. Boundaries are periodic."""
    cell = wp.tid()
    phase = phases[cell]
    well = phase * phase - 1.0
    left = phases[(cell - 1 + count) % count]
    right = phases[(cell + 1) % count]
    slope_x = (right - left) / (2.0 * dx)
    free_energies[cell] = 0.25 * well * well + 0.5 * gradient_energy * (slope_x * slope_x)


LAUNCH = {
    "compute_ginzburg_landau_free_energy": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "phases": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "gradient_energy": {"values": {"uniform": [0.02, 0.3]}},
            "dx": {"values": {"uniform": [0.1, 0.5]}},
            "count": {"values": {"size": "n"}},
            "free_energies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compute_ginzburg_landau_free_energy": {"goal": "phases.landau_energy", "ending": "per_element", "formulas": ["phases.landau_energy"]},
}
