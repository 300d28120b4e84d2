"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def lcs_length(
    words: wp.array2d(dtype=int),
    target: wp.array(dtype=int),
    costs: wp.array2d(dtype=int),
    lengths: wp.array(dtype=int),
):
    """Length of the longest common subsequence of each row and one sequence. A thread keeps one row
    of the table, in costs."""
    s = wp.tid()
    columns = target.shape[0]
    for j in range(columns + 1):
        costs[s, j] = 0
    for i in range(words.shape[1]):
        diagonal = costs[s, 0]
        for j in range(1, columns + 1):
            above = costs[s, j]
            if words[s, i] == target[j - 1]:
                costs[s, j] = diagonal + 1
            else:
                costs[s, j] = wp.max(above, costs[s, j - 1])
            diagonal = above
    lengths[s] = costs[s, columns]


LAUNCH = {
    "lcs_length": {
        "sizes": {"count": "(n + 15) // 16 + 2"},
        "difficulty": "medium",
        "dims": ["count"],
        "parameters": {
            "words": {"role": "in", "shape": ["count", "12"], "values": {"integers": [0, 4]}},
            "target": {"role": "in", "shape": ["12"], "values": {"integers": [0, 4]}},
            "costs": {"role": "out", "shape": ["count", "13"]},
            "lengths": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "lcs_length": {"goal": "loop.edit_distance", "ending": "written", "formulas": []},
}
