"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


STIFFNESS = wp.constant(10.0)


@wp.kernel
def damped_spring(
    extensions: wp.array2d(dtype=wp.float32),
    material_of: wp.array2d(dtype=wp.int32),
    extension_offsets: wp.array(dtype=wp.float32),
    extension_gain_table: wp.array2d(dtype=wp.float32),
    velocities: wp.array2d(dtype=wp.float32),
    expectations: wp.array2d(dtype=wp.float32),
    energy_pairs: wp.array2d(dtype=wp.vec2),
):
    """Kinetic plus potential energy of each spring. The expectation is subtracted from the energy.
    The result is increased by 0.4. The result is stored with its square in one vector."""
    i, j = wp.tid()
    extension = extensions[i, j]
    calibrated_extension = (
        (extension - extension_offsets[material_of[i, j]])
        * extension_gain_table[material_of[i, j], j % 4]
    )
    velocity = velocities[i, j]
    kinetic = 1.2 * velocity * velocity
    potential = 0.5 * STIFFNESS * calibrated_extension * calibrated_extension
    expectation = expectations[i, j]
    energy = potential + kinetic
    final_energy = energy - expectation + 0.4
    energy_pairs[i, j] = wp.vec2(final_energy, final_energy * final_energy)


LAUNCH = {
    "damped_spring": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16"},
        "difficulty": "hard",
        "dims": ["rows", "cols"],
        "parameters": {
            "extensions": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-0.5, 0.5]}},
            "material_of": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 3]}},
            "extension_offsets": {"role": "in", "shape": ["3"], "values": {"uniform": [-0.05, 0.05]}},
            "extension_gain_table": {"role": "in", "shape": ["3", "4"], "values": {"uniform": [0.5, 0.95]}},
            "velocities": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "expectations": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "energy_pairs": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
