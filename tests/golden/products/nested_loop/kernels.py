"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def eval_cosine_band_energy(
    samples: wp.array2d(dtype=wp.float32),
    cosine_basis: wp.array(dtype=wp.float32),
    first_band: int,
    band_energies: wp.array(dtype=wp.float32),
):
    """Energy in the higher DCT bands."""
    i = wp.tid()
    band_energy = float(0.0)
    for band in range(first_band, 8):
        level = float(0.0)
        for j in range(8):
            level += cosine_basis[8 * band + j] * samples[i, j]
        band_energy += level * level
    band_energies[i] = band_energy


LAUNCH = {
    "eval_cosine_band_energy": {
        "sizes": {"samples": "8"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "samples": {"role": "in", "shape": ["n", "samples"], "values": {"uniform": [-128.0, 127.0]}},
            "cosine_basis": {"role": "in", "shape": ["64"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "first_band": {"values": {"integers": [1, 5]}},
            "band_energies": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "eval_cosine_band_energy": {"goal": "tables.cosine_band_energy", "ending": "per_element", "formulas": ["tables.cosine_band_energy"]},
}
