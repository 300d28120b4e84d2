"""Kernels of the category grid_2d, seed 0.

Two-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata.
"""

import warp as wp


@wp.kernel
def colors(densities: wp.array2d(dtype=wp.float32), colored_values: wp.array2d(dtype=wp.float32)):
    """One color of stripes of 2 colors in fields of 1 cell is squared, others are scaled."""
    j, i = wp.tid()
    density = densities[j, i]
    color = i % 2
    colored_values[j, i] = wp.where(color == 0, density * density, 0.25 * density)


LAUNCH = {
    "colors": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "difficulty": "easy",
        "dims": ["ny", "nx"],
        "parameters": {
            "densities": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "colored_values": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}
