"""Kernels of the category gather_scatter, seed 0.

Indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides.
"""

import warp as wp


@wp.kernel
def order_in_row(
    times: wp.array(dtype=wp.float64),
    count: int,
    run_counts: wp.array(dtype=wp.int32),
):
    """Number of rising runs among 6 keys in a row from each element on, the last one repeated."""
    i = wp.tid()
    runs = int(1)
    before = times[i]
    for j in range(1, 6):
        now = times[wp.min(i + j, count - 1)]
        if now < before:
            runs += 1
        before = now
    run_counts[i] = runs


LAUNCH = {
    "order_in_row": {
        "sizes": {"width": "6"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "times": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "run_counts": {"role": "out", "shape": ["n"]},
        },
    },
}
