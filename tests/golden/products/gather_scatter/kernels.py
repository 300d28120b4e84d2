"""Kernels of the category gather_scatter, seed 0.

Indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides.
"""

import warp as wp


@wp.kernel
def order_in_row(
    scores: wp.array2d(dtype=wp.float32),
    chosen: wp.array(dtype=wp.int32),
    largest_ranks: wp.array(dtype=wp.int32),
):
    """Rank of a chosen one among the 8 keys of each row. The rank is divided by 2. The larger of
    the result and what is stored is kept."""
    i = wp.tid()
    pick = chosen[i]
    mine = scores[i, pick]
    rank = int(0)
    for j in range(8):
        other = scores[i, j]
        if other > mine:
            rank += 1
    largest_ranks[i] = wp.max(largest_ranks[i], rank // 2)


LAUNCH = {
    "order_in_row": {
        "sizes": {"width": "8"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "scores": {"role": "in", "shape": ["n", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "chosen": {"role": "in", "shape": ["n"], "values": {"integers": [0, "width"]}},
            "largest_ranks": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 5]}},
        },
    },
}
