"""Kernels of the category random_math, seed 0.

Random numbers per thread: noise, sampling, walks, small Monte Carlo estimates.
"""

import warp as wp


@wp.struct
class DropoutParams:
    """Settings that all threads share."""

    x_tolerance: float
    rate: float


@wp.kernel
def dropout(
    xs: wp.array(dtype=wp.float32),
    seed: int,
    params: DropoutParams,
    kept_value_totals: wp.array(dtype=wp.float32),
):
    """Elements dropped or replaced at random. The dead zone of x reaches to params.x_tolerance on
    both sides. The kept value is subtracted from a running total."""
    i = wp.tid()
    state = wp.rand_init(seed, i)
    x = xs[i]
    dead_zone_x = x - params.x_tolerance * wp.sign(x) if wp.abs(x) > params.x_tolerance else 0.0
    value = dead_zone_x
    if wp.randf(state) < 0.5 * params.rate:
        value = 1.0
    elif wp.randf(state) < params.rate:
        value = -1.0
    kept_value_totals[i] -= value


LAUNCH = {
    "dropout": {
        "dims": ["n"],
        "parameters": {
            "xs": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "seed": {"values": {"integers": [0, 10000]}},
            "params": {"values": {"members": {"x_tolerance": {"uniform": [0.05, 0.2]}, "rate": {"uniform": [0.2, 0.6]}}}},
            "kept_value_totals": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
