"""Kernels of the category struct, seed 0.

Structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays.
"""

import warp as wp


@wp.struct
class Move:
    """One of several choices."""

    cost: float
    label: int
    gain: float


@wp.kernel
def best_candidate(
    candidates: wp.array2d(dtype=Move),
    weight: float,
    choices_made: wp.array(dtype=wp.int32),
    top_scores: wp.array(dtype=wp.float32),
):
    """Highest score of 5 candidates whose label is not skipped, and which one it is."""
    agent = wp.tid()
    best_score = float(-1000.0)
    chosen = int(0)
    for c in range(5):
        option = candidates[agent, c]
        if option.label % 5 == 0:
            continue
        score = option.gain - weight * option.cost
        if score > best_score:
            best_score = score
            chosen = c
    choices_made[agent] = chosen
    top_scores[agent] = best_score


LAUNCH = {
    "best_candidate": {
        "sizes": {"choices": "5"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "candidates": {"role": "in", "shape": ["n", "choices"], "values": {"members": {"cost": {"uniform": [0.0, 4.0]}, "label": {"integers": [0, 100]}, "gain": {"uniform": [0.0, 3.0]}}}},
            "weight": {"values": {"uniform": [0.3, 2.0]}},
            "choices_made": {"role": "out", "shape": ["n"]},
            "top_scores": {"role": "out", "shape": ["n"]},
        },
    },
}
