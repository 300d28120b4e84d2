"""Kernels of the category random_math, seed 0.

Random numbers per thread: noise, sampling, walks, small Monte Carlo estimates.
"""

import warp as wp


@wp.struct
class DropoutResult:
    """What each thread finds."""

    value: float
    level: int


@wp.kernel
def dropout(
    mask: wp.array2d(dtype=wp.int32),
    xs: wp.array2d(dtype=wp.vec2),
    group_of: wp.array2d(dtype=wp.int32),
    bounds: wp.array(dtype=wp.float32),
    results: wp.array2d(dtype=DropoutResult),
    rng_seed: int,
    cols: int,
    gain: float,
):
    """Elements dropped or replaced at random. Elements outside the mask are skipped. Component 1 of
    xs is the x. The kept value is multiplied by gain. A soft limit keeps the result within
    bounds[group_of[row, col]] of zero. The result is stored in a struct with its level in steps of
    1/8, rounded."""
    row, col = wp.tid()
    if mask[row, col] == 0:
        return
    rng = wp.rand_init(rng_seed, row * cols + col)
    x = xs[row, col][1]
    value = x / 0.46
    if wp.randf(rng) < 0.54:
        value = 0.1 * x
    kept_value = gain * value
    final_kept_value = bounds[group_of[row, col]] * wp.tanh(kept_value / bounds[group_of[row, col]])
    result = DropoutResult()
    result.value = final_kept_value
    result.level = int(wp.round(final_kept_value * 8.0))
    results[row, col] = result


LAUNCH = {
    "dropout": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "expert",
        "dims": ["rows", "cols"],
        "parameters": {
            "mask": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "xs": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "group_of": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 3]}},
            "bounds": {"role": "in", "shape": ["3"], "values": {"uniform": [5.434782608695652, 8.695652173913045]}},
            "results": {"role": "out", "shape": ["rows", "cols"]},
            "rng_seed": {"values": {"integers": [0, 10000]}},
            "cols": {"values": {"size": "cols"}},
            "gain": {"values": {"uniform": [0.2, 5.0]}},
        },
    },
}
