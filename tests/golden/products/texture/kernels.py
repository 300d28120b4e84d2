"""Kernels of the category texture, seed 0.

Textures: image warps, resampling, lookups by place, angle and level, cached gathers.
"""

import warp as wp


@wp.kernel
def scattered_fetch(
    lookup_texture: wp.array(dtype=wp.float32),
    neighbors: wp.array(dtype=wp.int32),
    links: wp.array(dtype=wp.int32),
    other_links: wp.array(dtype=wp.int32),
    indices: wp.array(dtype=wp.int32),
    baselines: wp.array(dtype=wp.float32),
    gathered_pairs: wp.array(dtype=wp.vec2),
    length: int,
):
    """The largest of 4 texels at places that arrays name. A baseline is subtracted. The gathered
    value is increased by 0.2. The result is stored with its negative part in one vector."""
    group, member = wp.tid()
    i = group * 32 + member
    if i >= length:
        return
    other_place = links[i]
    place = neighbors[i]
    first = lookup_texture[place]
    baseline = baselines[i]
    gathered = (
        wp.max(
            wp.max(wp.max(first, lookup_texture[other_place]), lookup_texture[other_links[i]]),
            lookup_texture[indices[i]],
        )
        - baseline
        + 0.2
    )
    gathered_pairs[i] = wp.vec2(gathered, wp.min(gathered, 0.0))


LAUNCH = {
    "scattered_fetch": {
        "sizes": {"texels": "min(n, 65536)"},
        "difficulty": "hard",
        "dims": ["(n + 31) // 32", "32"],
        "parameters": {
            "lookup_texture": {"role": "in", "shape": ["texels"], "memory": "texture", "values": {"uniform": [-1.0, 1.0]}},
            "neighbors": {"role": "in", "shape": ["n"], "values": {"integers": [0, "texels"]}},
            "links": {"role": "in", "shape": ["n"], "values": {"integers": [0, "texels"]}},
            "other_links": {"role": "in", "shape": ["n"], "values": {"integers": [0, "texels"]}},
            "indices": {"role": "in", "shape": ["n"], "values": {"integers": [0, "texels"]}},
            "baselines": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "gathered_pairs": {"role": "out", "shape": ["n"]},
            "length": {"values": {"size": "n"}},
        },
    },
}
