"""Kernels of the category constant_table, seed 0.

Constant memory: calendars, genes, contour cases, bodies, balls, lattices, centers, codes, curves.
"""

import warp as wp


@wp.kernel
def principal_energy_kernel(
    features: wp.array2d(dtype=wp.float32),
    components: wp.array2d(dtype=wp.float32),
    num_features: int,
    energies: wp.array(dtype=wp.float32),
):
    """Compute the energy of each row in the leading principal components."""
    i = wp.tid()
    energy = float(0.0)
    for c in range(6):
        projection = float(0.0)
        for j in range(num_features):
            projection += features[j, i] * components[c, j]
        energy += projection * projection
    energies[i] = energy


LAUNCH = {
    "principal_energy_kernel": {
        "sizes": {"features": "8", "degree": "6"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "features": {"role": "in", "shape": ["features", "n"], "values": {"uniform": [-2.0, 2.0]}},
            "components": {"role": "in", "shape": ["6", "8"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "num_features": {"values": {"size": "features"}},
            "energies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "principal_energy_kernel": {"goal": "rows.principal_energy", "ending": "per_element", "formulas": ["rows.principal_energy"]},
}
