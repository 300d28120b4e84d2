"""Kernels of the category gather_scatter, seed 0.

Indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides.
"""

import warp as wp


@wp.kernel
def order_in_row(
    keys: wp.array(dtype=wp.float64),
    chosen: wp.array(dtype=wp.int32),
    count: int,
    ranks: wp.array(dtype=wp.int32),
    rank_remainders: wp.array(dtype=wp.int32),
):
    """Rank of a chosen one among 6 keys in a row from each element on, the last one repeated. The
    remainder of the result modulo 5 is stored as well."""
    i = wp.tid()
    if i >= count:
        return
    pick = chosen[i]
    mine = keys[wp.min(i + pick, count - 1)]
    rank = int(0)
    for j in range(6):
        other = keys[wp.min(i + j, count - 1)]
        if other < mine or (other == mine and j < pick):
            rank += 1
    ranks[i] = rank
    rank_remainders[i] = rank % 5


LAUNCH = {
    "order_in_row": {
        "sizes": {"width": "6"},
        "difficulty": "hard",
        "dims": ["(n + 63) // 64 * 64"],
        "parameters": {
            "keys": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "chosen": {"role": "in", "shape": ["n"], "values": {"integers": [0, "width"]}},
            "count": {"values": {"size": "n"}},
            "ranks": {"role": "out", "shape": ["n"]},
            "rank_remainders": {"role": "out", "shape": ["n"]},
        },
    },
}
