"""Kernels of the category random_math, seed 0.

Random numbers per thread: noise, sampling, walks, small Monte Carlo estimates.
"""

import warp as wp


@wp.struct
class EstimateAreaParams:
    """Settings for estimate area."""

    radius: float


@wp.kernel
def estimate_area(seed: int, settings: EstimateAreaParams, areas: wp.array(dtype=wp.float32)):
    """Monte Carlo area of a shape in the unit square from 32 points."""
    i = wp.tid()
    state = wp.rand_init(seed, i)
    inside = float(0.0)
    for s in range(32):
        x = wp.randf(state)
        y = wp.randf(state)
        if wp.max(x, y) < settings.radius:
            inside += 1.0
    area = inside / 32.0
    areas[i] = area


LAUNCH = {
    "estimate_area": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "seed": {"values": {"integers": [0, 10000]}},
            "settings": {"values": {"members": {"radius": {"uniform": [0.5, 0.95]}}}},
            "areas": {"role": "out", "shape": ["n"]},
        },
    },
}
