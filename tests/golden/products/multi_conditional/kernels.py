"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def material_response(
    strains: wp.array(dtype=wp.float32),
    hardenings: wp.array(dtype=wp.float32),
    stresses: wp.array(dtype=wp.float32),
    modulus: float,
):
    """Stress of an elastic, then plastic, then broken material."""
    i = wp.tid()
    size = wp.abs(strains[i])
    stress = float(0.0)
    if size < 0.025:
        stress = modulus * size
    elif size < 0.074:
        stress = modulus * 0.025 + hardenings[i] * modulus * (size - 0.025)
    elif size < 0.088:
        stress = (modulus * 0.025 + hardenings[i] * modulus * (size - 0.025)) * 0.71
    else:
        stress = modulus * 0.074 * 0.05 * wp.exp(-(size * 4.0))
    stresses[i] = stress * wp.sign(strains[i])


LAUNCH = {
    "material_response": {
        "dims": ["n"],
        "parameters": {
            "strains": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.1, 0.1]}},
            "hardenings": {"role": "in", "shape": ["n"], "values": {"uniform": [0.05, 0.4]}},
            "stresses": {"role": "out", "shape": ["n"]},
            "modulus": {"values": {"uniform": [50.0, 200.0]}},
        },
    },
}
