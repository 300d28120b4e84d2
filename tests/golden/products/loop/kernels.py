"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.struct
class TruncatedSeriesTuning:
    """The settings' part for the tuning."""

    ratio: float


@wp.struct
class TruncatedSeriesParams:
    """Settings that all threads share."""

    tuning: TruncatedSeriesTuning
    blend: float


@wp.kernel
def truncated_series(
    mask: wp.array3d(dtype=wp.int32),
    xs: wp.array4d(dtype=wp.float32),
    params: TruncatedSeriesParams,
    series: wp.array3d(dtype=wp.float32),
):
    """Power series in x, truncated after 5 terms. Elements outside the mask are skipped. Column 0
    of xs holds the x. The series goes through an arctangent. The stored value moves towards the
    result by the factor params.blend."""
    b, i, j = wp.tid()
    if mask[b, i, j] == 0:
        return
    x = xs[b, i, j, 0]
    total = float(0.0)
    term = float(1.0)
    for order in range(1, 6):
        term = -term * x * params.tuning.ratio
        total += term
    series[b, i, j] = wp.lerp(series[b, i, j], wp.atan(total), params.blend)


LAUNCH = {
    "truncated_series": {
        "sizes": {"batch": "(n + 23) // 24", "rows": "6", "cols": "4"},
        "difficulty": "hard",
        "dims": ["batch", "rows", "cols"],
        "parameters": {
            "mask": {"role": "in", "shape": ["batch", "rows", "cols"], "values": {"integers": [0, 2]}},
            "xs": {"role": "in", "shape": ["batch", "rows", "cols", "3"], "values": {"uniform": [-1.0, 1.0]}},
            "params": {"values": {"members": {"tuning": {"members": {"ratio": {"uniform": [0.3, 0.9]}}}, "blend": {"uniform": [0.05, 0.6]}}}},
            "series": {"role": "inout", "shape": ["batch", "rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
