"""Matrix product and row sums with tiles: the threads of a block work on a piece of a matrix together."""

import warp as wp

TILE = wp.constant(16)


@wp.kernel
def multiply(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    """c = a b, one tile of c per block."""
    i, j = wp.tid()

    total = wp.tile_zeros(shape=(TILE, TILE), dtype=float)
    for k in range(a.shape[1] // TILE):
        left = wp.tile_load(a, shape=(TILE, TILE), offset=(i * TILE, k * TILE))
        right = wp.tile_load(b, shape=(TILE, TILE), offset=(k * TILE, j * TILE))
        wp.tile_matmul(left, right, total)
    wp.tile_store(c, total, offset=(i * TILE, j * TILE))


@wp.kernel
def sum_rows(matrix: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    """The sum of every row."""
    row = wp.tid()

    values = wp.tile_load(matrix[row], shape=64)
    wp.tile_store(sums, wp.tile_sum(values), offset=row)


LAUNCH = {
    "multiply": {
        "sizes": {"rows": "16 * ((n + 4095) // 4096)", "inner": "48", "columns": "32"},
        "dims": ["rows // 16", "columns // 16"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["rows", "inner"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": ["inner", "columns"], "values": {"uniform": [-1.0, 1.0]}},
            "c": {"role": "out", "shape": ["rows", "columns"]},
        },
    },
    "sum_rows": {
        "sizes": {"rows": "(n + 63) // 64"},
        "dims": ["rows"],
        "block_dim": 32,
        "parameters": {
            "matrix": {"shape": ["rows", 64], "values": {"integers": [-8, 9]}},
            "sums": {"role": "out", "shape": ["rows"]},
        },
    },
}
