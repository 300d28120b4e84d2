"""Kernels of the category multi_conditional, seed 0: chains of if, elif and else, nested decisions, and combined conditions."""

import warp as wp


@wp.kernel
def material_response(
    strains: wp.array(dtype=wp.float32),
    modulus: wp.array(dtype=wp.float32),
    stress_2: wp.array(dtype=wp.float32),
    strain_offset: float,
):
    """Stress of an elastic, then plastic, then broken material."""
    i = wp.tid()
    calibrated_strain = (strains[i] - strain_offset) * 0.8
    size = wp.abs(calibrated_strain)
    stress = float(0.0)
    if size < 0.02:
        stress = modulus[i] * size
    elif size < 0.067:
        stress = modulus[i] * 0.02 + 0.17 * modulus[i] * (size - 0.02)
    elif size < 0.091:
        stress = (modulus[i] * 0.02 + 0.17 * modulus[i] * (size - 0.02)) * 0.69
    else:
        stress = modulus[i] * 0.067 * 0.18 * wp.exp(-(size * 2.5))
    stress_2[i] = stress * wp.sign(calibrated_strain)


LAUNCH = {
    "material_response": {
        "dims": ["n"],
        "parameters": {
            "strains": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.1, 0.1]}},
            "modulus": {"role": "in", "shape": ["n"], "values": {"uniform": [50.0, 200.0]}},
            "stress_2": {"role": "out", "shape": ["n"]},
            "strain_offset": {"values": {"uniform": [-0.010000000000000002, 0.010000000000000002]}},
        },
    },
}
