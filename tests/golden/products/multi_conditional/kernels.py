"""Kernels of the category multi_conditional, seed 0.

Chains of if, elif and else, nested decisions, and combined conditions.
"""

import warp as wp


@wp.kernel
def smith_waterman_cell(
    read: wp.array(dtype=int),
    reference: wp.array(dtype=int),
    match: int,
    mismatch: int,
    diagonal: wp.array(dtype=int),
    above: wp.array(dtype=int),
    left: wp.array(dtype=int),
    gap: int,
    cells: wp.array(dtype=int),
):
    """Score the cells of a Smith-Waterman matrix along an antidiagonal from their three neighbors,
    which are known. read[i] and reference[i] are the symbols of cell i, and penalties are
    positive."""
    i = wp.tid()
    score = int(diagonal[i])
    if read[i] == reference[i]:
        score += match
    else:
        score -= mismatch
    best = wp.max(score, wp.max(above[i], left[i]) - gap)
    cells[i] = wp.max(best, 0)


LAUNCH = {
    "smith_waterman_cell": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "read": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4]}},
            "reference": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4]}},
            "match": {"values": {"integers": [2, 6]}},
            "mismatch": {"values": {"integers": [1, 4]}},
            "diagonal": {"role": "in", "shape": ["n"], "values": {"integers": [0, 12]}},
            "above": {"role": "in", "shape": ["n"], "values": {"integers": [0, 12]}},
            "left": {"role": "in", "shape": ["n"], "values": {"integers": [0, 12]}},
            "gap": {"values": {"integers": [1, 4]}},
            "cells": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "smith_waterman_cell": {"goal": "multi_conditional.smith_waterman", "ending": "written", "formulas": []},
}
