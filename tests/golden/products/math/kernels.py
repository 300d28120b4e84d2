"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def rounding_modes(
    values: wp.array3d(dtype=wp.float32),
    scale_share: wp.array3d(dtype=wp.float32),
    nz: int,
    scale_range: wp.vec2,
    rests: wp.array3d(dtype=wp.float32),
    smallest_levels: wp.array(dtype=wp.int32),
):
    """What ceil takes from each number, or its size. The value is smoothed with weights 1/4, 1/2
    and 1/4. The smallest level of the rest in steps of 1/16, rounded, is kept for each k."""
    i, j, k = wp.tid()
    smooth_value = (
        0.25 * values[i, j, wp.max(k - 1, 0)]
        + 0.5 * values[i, j, k]
        + 0.25 * values[i, j, wp.min(k + 1, nz - 1)]
    )
    scale = wp.lerp(scale_range[0], scale_range[1], scale_share[i, j, k])
    scaled = smooth_value * scale
    whole = wp.ceil(scaled)
    rest = (scaled - whole) * (scaled - whole)
    rests[i, j, k] = rest
    wp.atomic_min(smallest_levels, k, int(wp.floor(rest * 16.0 + 0.5)))


LAUNCH = {
    "rounding_modes": {
        "sizes": {"nx": "(n + 31) // 32", "ny": "4", "nz": "8"},
        "difficulty": "hard",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "values": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-6.0, 6.0]}},
            "scale_share": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [0.0, 1.0]}},
            "nz": {"values": {"size": "nz"}},
            "scale_range": {"values": {"uniform": [0.5, 3.0]}},
            "rests": {"role": "out", "shape": ["nx", "ny", "nz"]},
            "smallest_levels": {"role": "inout", "shape": ["nz"], "values": {"constant": 1000000}},
        },
    },
}
