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
    gap: int,
    before_previous: wp.array(dtype=int),
    previous: wp.array(dtype=int),
    cells: wp.array(dtype=int),
):
    """Fill an antidiagonal of a Smith-Waterman matrix from the two antidiagonals before it. read[i]
    and reference[i] are the symbols that cell i compares, so that one of the sequences runs in
    reverse. The cell's neighbors are previous[i] (above), previous[i + 1] (left) and
    before_previous[i] (diagonal). Border cells are set elsewhere. mismatch and gap are positive
    penalties."""
    i = wp.tid()
    above = previous[i]
    left = previous[i + 1]
    score = int(before_previous[i])
    if read[i] == reference[i]:
        score += match
    else:
        score -= mismatch
    best = wp.max(score, wp.max(above, left) - gap)
    cells[i] = wp.max(best, 0)


LAUNCH = {
    "smith_waterman_cell": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "read": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4]}},
            "reference": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4]}},
            "match": {"values": {"integers": [2, 6]}},
            "mismatch": {"values": {"integers": [1, 4]}},
            "before_previous": {"role": "in", "shape": ["n"], "values": {"integers": [0, 12]}},
            "previous": {"role": "in", "shape": ["n + 1"], "values": {"integers": [0, 12]}},
            "gap": {"values": {"integers": [1, 4]}},
            "cells": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "smith_waterman_cell": {"goal": "multi_conditional.smith_waterman", "ending": "written", "formulas": []},
}
