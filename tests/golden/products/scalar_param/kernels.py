"""Kernels of the category scalar_param, seed 0.

Scalar parameters of several types beside arrays: rates, limits, modes, strides.
"""

import warp as wp


@wp.kernel
def compute_fput_beta_coupling_force(
    displacements: wp.array(dtype=wp.float32),
    count: int,
    coupling_strength: float,
    nonlinearity: float,
    max_coupling_force: wp.array(dtype=wp.float32),
):
    """Find the maximum of the FPUT-beta chain force over all oscillators. Indices are clamped at
    both ends. Each block first finds its own maximum."""
    block, thread = wp.tid()
    oscillator = block * 256 + thread
    coupling_force = float(-wp.inf)
    if oscillator < count:
        displacement = displacements[oscillator]
        left = displacements[wp.max(oscillator - 1, 0)]
        right = displacements[wp.min(oscillator + 1, count - 1)]
        ahead = right - displacement
        behind = displacement - left
        coupling_force = (
            coupling_strength
            * (
                ahead * (1.0 + nonlinearity * ahead * ahead)
                - behind * (1.0 + nonlinearity * behind * behind)
            )
        )
    block_largest = wp.tile_max(wp.tile(coupling_force))
    if thread == 0:
        wp.atomic_max(max_coupling_force, 0, block_largest[0])


LAUNCH = {
    "compute_fput_beta_coupling_force": {
        "difficulty": "expert",
        "dims": ["(n + 255) // 256"],
        "block_dim": 256,
        "parameters": {
            "displacements": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "coupling_strength": {"values": {"uniform": [0.2, 1.5]}},
            "nonlinearity": {"values": {"uniform": [0.2, 1.0]}},
            "max_coupling_force": {"role": "inout", "shape": ["1"], "values": {"constant": -3.4028234663852886e38}},
        },
    },
}

MADE_OF = {
    "compute_fput_beta_coupling_force": {"goal": "oscillators.fput_beta_coupling_force", "ending": "largest_by_blocks", "formulas": ["oscillators.fput_beta_coupling_force"]},
}
