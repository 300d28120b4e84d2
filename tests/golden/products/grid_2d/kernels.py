"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: fields and their differences, flows, height fields, automata.
"""

import warp as wp


@wp.func
def laplacian(phi: wp.array2d(dtype=float), i: int, j: int):
    """Compute the five-point Laplacian on a grid of unit spacing with no flux through its
    border."""
    total = phi[wp.max(i - 1, 0), j] + phi[wp.min(i + 1, phi.shape[0] - 1), j]
    total += phi[i, wp.max(j - 1, 0)] + phi[i, wp.min(j + 1, phi.shape[1] - 1)]
    return total - 4.0 * phi[i, j]


@wp.kernel
def allen_cahn_step(
    phi: wp.array2d(dtype=float),
    driving: wp.array2d(dtype=float),
    epsilon_sq: float,
    mobility_dt: float,
    new_phi: wp.array2d(dtype=float),
):
    """Take an explicit step of the Allen-Cahn equation with the double well (1 - phi^2)^2 / 4,
    tilted by the driving force of each cell. `mobility_dt` is the mobility times the time step."""
    i, j = wp.tid()
    value = phi[i, j]
    reaction = value - value * value * value
    reaction += driving[i, j] * (1.0 - value * value)
    new_phi[i, j] = value + mobility_dt * (epsilon_sq * laplacian(phi, i, j) + reaction)


LAUNCH = {
    "allen_cahn_step": {
        "sizes": {"rows": "(n + 63) // 64 + 2", "cols": "96"},
        "difficulty": "easy",
        "dims": ["rows", "cols"],
        "parameters": {
            "phi": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "driving": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.3, 0.3]}},
            "epsilon_sq": {"values": {"uniform": [0.5, 1.5]}},
            "mobility_dt": {"values": {"uniform": [0.02, 0.1]}},
            "new_phi": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "allen_cahn_step": {"goal": "grid_2d.phase_field", "ending": "written", "formulas": []},
}
