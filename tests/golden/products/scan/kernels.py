"""Kernels of the category scan, seed 0.

Scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction.
"""

import warp as wp


@wp.kernel
def prefix_row(scores: wp.array(dtype=wp.int64), cumulative: wp.array(dtype=wp.int64)):
    """Exclusive prefix maxima of the scores along each row."""
    row = wp.tid()
    running = wp.int64(-1000)
    for step in range(6):
        x = scores[row * 6 + step]
        cumulative[row * 6 + step] = running
        running = wp.max(running, x)


LAUNCH = {
    "prefix_row": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "scores": {"role": "in", "shape": ["6 * n"], "values": {"integers": [-5, 9]}},
            "cumulative": {"role": "out", "shape": ["6 * n"]},
        },
    },
}
