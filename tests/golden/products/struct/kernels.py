"""Kernels of the category struct, seed 0.

Structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays.
"""

import warp as wp


@wp.struct
class Offer:
    """One of several choices."""

    cost: float
    gain: float
    label: int


@wp.kernel
def best_candidate(
    candidates: wp.array2d(dtype=Offer),
    weights: wp.array(dtype=wp.float32),
    rates: wp.array(dtype=wp.float32),
    choices_made: wp.array(dtype=wp.int32),
    bests: wp.array(dtype=wp.float32),
    count: int,
):
    """Lowest score of 4 candidates whose label is not skipped, and which one it is. The best is
    multiplied by its weight. The stored value moves towards the result by the factor rates[i]."""
    i = wp.tid()
    if i >= count:
        return
    best_score = float(1000.0)
    chosen = int(0)
    for c in range(4):
        option = candidates[i, c]
        if option.label % 5 == 0:
            continue
        score = option.gain - 1.8 * option.cost
        if score < best_score:
            best_score = score
            chosen = c
    choices_made[i] = chosen
    best = weights[i] * best_score
    bests[i] = (1.0 - rates[i]) * bests[i] + rates[i] * best


LAUNCH = {
    "best_candidate": {
        "sizes": {"choices": "4"},
        "difficulty": "expert",
        "dims": ["(n + 31) // 32 * 32"],
        "parameters": {
            "candidates": {"role": "in", "shape": ["n", "choices"], "values": {"members": {"cost": {"uniform": [0.0, 4.0]}, "gain": {"uniform": [0.0, 3.0]}, "label": {"integers": [0, 100]}}}},
            "weights": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "rates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.05, 0.6]}},
            "choices_made": {"role": "out", "shape": ["n"]},
            "bests": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
        },
    },
}
