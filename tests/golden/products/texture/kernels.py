"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


ENTRIES = wp.constant(128)


@wp.kernel
def maximum_intensity_projection(
    densities: wp.array2d(dtype=float),
    color_table: wp.array(dtype=wp.vec4),
    colors: wp.array(dtype=wp.vec4),
):
    """Project the maximum intensity of each ray, colored by the transfer function."""
    ray = wp.tid()
    largest = densities[ray, 0]
    for k in range(1, densities.shape[1]):
        largest = wp.max(largest, densities[ray, k])
    t = float(ENTRIES - 1) * largest
    low = wp.min(int(t), ENTRIES - 2)
    colors[ray] = wp.lerp(color_table[low], color_table[low + 1], t - float(low))


LAUNCH = {
    "maximum_intensity_projection": {
        "sizes": {"rays": "(n + 31) // 32 + 2", "samples": "32"},
        "difficulty": "hard",
        "dims": ["rays"],
        "parameters": {
            "densities": {"role": "in", "shape": ["rays", "samples"], "values": {"uniform": [0.0, 1.0]}},
            "color_table": {"role": "in", "shape": ["128"], "memory": "texture", "values": {"uniform": [0.0, 0.9]}},
            "colors": {"role": "out", "shape": ["rays"]},
        },
    },
}

MADE_OF = {
    "maximum_intensity_projection": {"goal": "texture.transfer_function", "ending": "written", "formulas": []},
}
