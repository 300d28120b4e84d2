"""Kernels of the category random_math, seed 0.

Random numbers per thread: noise, sampling, walks, small Monte Carlo estimates.
"""

import warp as wp


@wp.struct
class EstimateAreaTuning:
    """Tuning of estimate area."""

    radius: float


@wp.struct
class EstimateAreaParams:
    """Settings for estimate area."""

    tuning: EstimateAreaTuning


@wp.kernel
def estimate_area(
    seed: int,
    params: EstimateAreaParams,
    stride: int,
    n: int,
    areas: wp.array(dtype=wp.float32),
):
    """Monte Carlo area of a shape in the unit square from 24 points. The area goes through a
    softplus."""
    tid = wp.tid()
    for i in range(tid, n, stride):
        rng = wp.rand_init(seed, i)
        inside = float(0.0)
        for _ in range(24):
            x = wp.randf(rng)
            y = wp.randf(rng)
            if x + y < params.tuning.radius:
                inside += 1.0
        area = inside / 24.0
        areas[i] = wp.log(1.0 + wp.exp(area))


LAUNCH = {
    "estimate_area": {
        "sizes": {"threads": "(n + 7) // 8"},
        "difficulty": "expert",
        "dims": ["threads"],
        "parameters": {
            "seed": {"values": {"integers": [0, 10000]}},
            "params": {"values": {"members": {"tuning": {"members": {"radius": {"uniform": [0.5, 0.95]}}}}}},
            "stride": {"values": {"size": "threads"}},
            "n": {"values": {"size": "n"}},
            "areas": {"role": "out", "shape": ["n"]},
        },
    },
}
