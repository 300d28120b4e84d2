"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


COMMA = wp.constant(44)


@wp.kernel
def nth_field(bytes: wp.array2d(dtype=int), field: int, starts: wp.array(dtype=int)):
    """Where a field of each comma-separated line begins, or -1 if the line has too few."""
    row = wp.tid()
    commas = int(0)
    start = int(-1)
    if field == 0:
        start = 0
    for j in range(bytes.shape[1]):
        if bytes[row, j] == COMMA:
            commas += 1
            if commas == field:
                start = j + 1
                break
    starts[row] = start


LAUNCH = {
    "nth_field": {
        "sizes": {"count": "(n + 7) // 8 + 2"},
        "difficulty": "medium",
        "dims": ["count"],
        "parameters": {
            "bytes": {"role": "in", "shape": ["count", "32"], "values": {"integers": [40, 52]}},
            "field": {"values": {"integers": [1, 4]}},
            "starts": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "nth_field": {"goal": "control_flow.text_scan", "ending": "written", "formulas": []},
}
