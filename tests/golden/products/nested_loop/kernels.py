"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def live_neighbors(
    state: wp.array2d(dtype=wp.int32),
    rows: int,
    cols: int,
    counts: wp.array2d(dtype=wp.int32),
    count_histogram: wp.array(dtype=wp.int32),
):
    """Number of live neighbours of each cell, with open borders. A histogram counts the count
    modulo 4."""
    row, col = wp.tid()
    neighbors = int(0)
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            if dy == 0 and dx == 0:
                continue
            xx = col + dx
            yy = row + dy
            if yy >= 0 and yy < rows and xx >= 0 and xx < cols:
                neighbors += state[yy, xx]
    counts[row, col] = neighbors
    wp.atomic_add(count_histogram, neighbors % 4, 1)


LAUNCH = {
    "live_neighbors": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "expert",
        "dims": ["rows", "cols"],
        "parameters": {
            "state": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "counts": {"role": "out", "shape": ["rows", "cols"]},
            "count_histogram": {"role": "inout", "shape": ["4"], "values": {"constant": 0}},
        },
    },
}
