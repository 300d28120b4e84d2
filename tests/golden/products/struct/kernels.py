"""Kernels of the category struct, seed 0.

Structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays.
"""

import warp as wp


WEIGHT = wp.constant(1.6)


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
    top_scores: wp.array(dtype=wp.float32),
    top_score_levels: wp.array(dtype=wp.int32),
):
    """Highest score of 4 candidates whose label is not skipped, and which one it is. The level of
    the top score in steps of 1/8, rounded, is stored as well."""
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
    top_scores[agent] = best_score
    top_score_levels[agent] = int(wp.ceil(best_score * 8.0 - 0.5))


LAUNCH = {
    "best_candidate": {
        "sizes": {"choices": "4"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "candidates": {"role": "in", "shape": ["n", "choices"], "values": {"members": {"label": {"integers": [0, 100]}, "gain": {"uniform": [0.0, 3.0]}, "cost": {"uniform": [0.0, 4.0]}}}},
            "choices_made": {"role": "out", "shape": ["n"]},
            "top_scores": {"role": "out", "shape": ["n"]},
            "top_score_levels": {"role": "out", "shape": ["n"]},
        },
    },
}
