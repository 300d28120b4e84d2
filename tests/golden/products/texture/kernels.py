"""Kernels of the category texture, seed 0.

Textures: texels by projection, filtering, mip levels, height maps, image windows and warps.
"""

import warp as wp


@wp.func
def environment_texel(d: wp.vec3, rows: int, cols: int):
    """Return the row and column in texels of a direction in a latitude-longitude map with y up."""
    longitude = wp.atan2(d[2], d[0]) / 6.2831853 + 0.5
    latitude = wp.acos(wp.clamp(d[1], -1.0, 1.0)) / 3.1415927
    return wp.vec2(latitude * float(rows) - 0.5, longitude * float(cols) - 0.5)


@wp.kernel
def environment_lookup(
    sky: wp.array2d(dtype=float),
    directions: wp.array(dtype=wp.vec3),
    exposure: float,
    radiance: wp.array(dtype=float),
):
    """Sample a latitude-longitude environment map bilinearly along given directions. The exposure
    is in stops."""
    i = wp.tid()
    rows = sky.shape[0]
    cols = sky.shape[1]
    d = wp.normalize(directions[i])
    texel = environment_texel(d, rows, cols)
    row = int(wp.floor(texel[0]))
    col = int(wp.floor(texel[1]))
    top = wp.clamp(row, 0, rows - 1)
    bottom = wp.clamp(row + 1, 0, rows - 1)
    left = wp.where(col < 0, cols - 1, col)
    right = wp.where(left + 1 < cols, left + 1, 0)
    fy = texel[0] - float(row)
    fx = texel[1] - float(col)
    upper = wp.lerp(sky[top, left], sky[top, right], fx)
    lower = wp.lerp(sky[bottom, left], sky[bottom, right], fx)
    radiance[i] = wp.pow(2.0, exposure) * wp.lerp(upper, lower, fy)


LAUNCH = {
    "environment_lookup": {
        "sizes": {"height": "16", "width": "32"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "sky": {"role": "in", "shape": ["height", "width"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "directions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "exposure": {"values": {"uniform": [-1.0, 1.0]}},
            "radiance": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "environment_lookup": {"goal": "texture.environment_map", "ending": "written", "formulas": []},
}
