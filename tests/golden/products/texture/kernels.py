"""Kernels of the category texture, seed 0.

Textures: image warps, resampling, lookups by place, angle and level, cached gathers.
"""

import warp as wp


@wp.kernel
def scattered_fetch(
    lookup_texture: wp.array(dtype=wp.float32),
    indices: wp.array(dtype=wp.int32),
    baselines: wp.array(dtype=wp.float32),
    fetched_values: wp.array(dtype=wp.float32),
):
    """The texel at a place that an array names. A baseline is subtracted."""
    i = wp.tid()
    fetched = lookup_texture[indices[i]] - baselines[i]
    fetched_values[i] = fetched


LAUNCH = {
    "scattered_fetch": {
        "sizes": {"texels": "min(2 * n, 65536)"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "lookup_texture": {"role": "in", "shape": ["texels"], "memory": "texture", "values": {"uniform": [-1.0, 1.0]}},
            "indices": {"role": "in", "shape": ["n"], "values": {"integers": [0, "texels"]}},
            "baselines": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "fetched_values": {"role": "out", "shape": ["n"]},
        },
    },
}
