"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.func
def evaluate_rest(scaled: float, whole: float):
    """The rest, from scaled and whole."""
    return (scaled - whole) * (scaled - whole)


@wp.kernel
def rounding_modes(
    values: wp.array3d(dtype=wp.float32),
    scale_share: wp.array3d(dtype=wp.float32),
    nz: int,
    scale_range: wp.vec2,
    bound: float,
    rests: wp.array3d(dtype=wp.float32),
):
    """What ceil takes from each number, or its size. The value is smoothed with weights 1/4, 1/2
    and 1/4. A soft limit keeps the rest within bound of zero. The output's axes are reversed."""
    i, j, k = wp.tid()
    scale = wp.lerp(scale_range[0], scale_range[1], scale_share[i, j, k])
    smooth_value = (
        0.25 * values[i, j, wp.max(k - 1, 0)]
        + 0.5 * values[i, j, k]
        + 0.25 * values[i, j, wp.min(k + 1, nz - 1)]
    )
    scaled = smooth_value * scale
    whole = wp.ceil(scaled)
    rest = evaluate_rest(scaled, whole)
    rests[k, j, i] = bound * wp.tanh(rest / bound)


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
            "bound": {"values": {"uniform": [648.0, 1036.8]}},
            "rests": {"role": "out", "shape": ["nz", "ny", "nx"]},
        },
    },
}
