"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


STAY_PROBABILITY = wp.constant(0.85)


@wp.kernel
def forward_belief(
    likelihood_ratios: wp.array2d(dtype=wp.float32),
    beliefs: wp.array2d(dtype=wp.float32),
    length: int,
):
    """Filter the belief in one of two states along each column by the forward algorithm."""
    col = wp.tid()
    belief = float(0.5)
    for j in range(length):
        prior = STAY_PROBABILITY * belief + (1.0 - STAY_PROBABILITY) * (1.0 - belief)
        odds = prior * likelihood_ratios[j, col]
        belief = odds / (odds + (1.0 - prior))
        beliefs[j, col] = belief


LAUNCH = {
    "forward_belief": {
        "sizes": {"cols": "(n + 31) // 32", "length": "64"},
        "difficulty": "easy",
        "dims": ["cols"],
        "parameters": {
            "likelihood_ratios": {"role": "in", "shape": ["length", "cols"], "values": {"uniform": [0.2, 4.0]}},
            "beliefs": {"role": "out", "shape": ["length", "cols"]},
            "length": {"values": {"size": "length"}},
        },
    },
}

MADE_OF = {
    "forward_belief": {"goal": "recurrences.forward_belief", "formulas": []},
}
