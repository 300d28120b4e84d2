"""Kernels of the category struct, seed 0.

Structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays.
"""

import warp as wp


WEIGHT = wp.constant(1.6)
BOUND = wp.constant(790.0)


@wp.struct
class Move:
    """One of several choices."""

    label: int
    gain: float
    cost: float


@wp.kernel
def best_candidate(
    candidates: wp.array2d(dtype=Move),
    choices_made: wp.array(dtype=wp.int32),
    best_totals: wp.array(dtype=wp.float32),
):
    """Highest score of 4 candidates whose label is not skipped, and which one it is. A soft limit
    keeps the best within 790.0 of zero. The result is added to a running total."""
    agent = wp.tid()
    best_score = float(-1000.0)
    chosen = int(0)
    for c in range(4):
        option = candidates[agent, c]
        if option.label % 4 == 0:
            continue
        score = option.gain - WEIGHT * option.cost
        if score > best_score:
            best_score = score
            chosen = c
    choices_made[agent] = chosen
    best_totals[agent] += best_score / (1.0 + wp.abs(best_score) / BOUND)


LAUNCH = {
    "best_candidate": {
        "sizes": {"choices": "4"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "candidates": {"role": "in", "shape": ["n", "choices"], "values": {"members": {"label": {"integers": [0, 100]}, "gain": {"uniform": [0.0, 3.0]}, "cost": {"uniform": [0.0, 4.0]}}}},
            "choices_made": {"role": "out", "shape": ["n"]},
            "best_totals": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
