"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.kernel
def quantize(
    samples: wp.array2d(dtype=wp.float32),
    sample_baseline_map: wp.array(dtype=wp.int32),
    sample_baselines: wp.array2d(dtype=wp.float32),
    present_flags: wp.array2d(dtype=wp.int32),
    zero_point: float,
    fallback: float,
    errors: wp.array2d(dtype=wp.float32),
):
    """Magnitude of the rounding error of uniform quantization. sample_baseline_map says which
    element of sample_baselines is read along the last axis. A baseline is subtracted from the
    sample. The sign of the sample does not count. Where present_flags is zero, fallback takes the
    place of the error. The result goes through a square root."""
    i, j = wp.tid()
    sample = samples[i, j]
    sample_baseline = sample_baselines[i, sample_baseline_map[j]]
    relative_sample = sample - sample_baseline
    rectified_sample = wp.abs(relative_sample)
    multiple = wp.floor((rectified_sample - zero_point) / 0.3 + 0.5)
    gated_error = wp.where(
        present_flags[i, j] == 0, fallback, wp.abs(rectified_sample - (multiple * 0.3 + zero_point))
    )
    error = wp.sqrt(gated_error)
    errors[i, j] = error


LAUNCH = {
    "quantize": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "samples": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-4.0, 4.0]}},
            "sample_baseline_map": {"role": "in", "shape": ["cols"], "values": {"integers": [0, "cols"]}},
            "sample_baselines": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.2, 1.2]}},
            "present_flags": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "zero_point": {"values": {"uniform": [-0.5, 0.5]}},
            "fallback": {"values": {"uniform": [0.1, 0.9]}},
            "errors": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
