"""Kernels of the category reduction, seed 0.

Reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments.
"""

import warp as wp


@wp.kernel
def compensated_sum(
    samples: wp.array2d(dtype=wp.float32),
    factors: wp.array(dtype=wp.float32),
    offset: float,
    balance_triples: wp.array(dtype=wp.vec3),
):
    """Mean of the distances of the samples from offset of each row, added by Kahan's method. A
    row's elements lie below each other. The balance is multiplied by factors. The result is stored
    with its positive part and its Gaussian in one vector."""
    channel = wp.tid()
    total = float(0.0)
    c = float(0.0)
    for j in range(8):
        value = samples[j, channel]
        corrected = wp.abs(value - offset) - c
        updated = total + corrected
        c = updated - total - corrected
        total = updated
    balance = factors[channel] * (total / 8.0)
    balance_triples[channel] = wp.vec3(balance, wp.max(balance, 0.0), wp.exp(-(balance * balance)))


LAUNCH = {
    "compensated_sum": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "samples": {"role": "in", "shape": ["8", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "factors": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 5.0]}},
            "offset": {"values": {"uniform": [-0.5, 0.5]}},
            "balance_triples": {"role": "out", "shape": ["n"]},
        },
    },
}
