"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.func
def wrap_index(index: int, size: int):
    """Texel index of the repeated texture."""
    return (index % size + size) % size


@wp.kernel
def sample_nearest(
    texture: wp.array2d(dtype=float),
    texels: wp.array2d(dtype=int),
    shading: wp.array(dtype=float),
    colors: wp.array(dtype=float),
):
    """Nearest texel of each fragment, shaded; coordinates are in texels and may lie outside."""
    i = wp.tid()
    rows = texture.shape[0]
    cols = texture.shape[1]
    row = wrap_index(texels[i, 0], rows)
    col = wrap_index(texels[i, 1], cols)
    colors[i] = shading[i] * texture[row, col]


LAUNCH = {
    "sample_nearest": {
        "sizes": {"height": "48", "width": "64"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "texture": {"role": "in", "shape": ["height", "width"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "texels": {"role": "in", "shape": ["n", "2"], "values": {"integers": [-20, 80]}},
            "shading": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 1.0]}},
            "colors": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sample_nearest": {"goal": "texture.texture_sample", "ending": "written", "formulas": []},
}
