"""Programs whose kernels have tiles: blocks of several sizes, beside kernels with a thread an element."""

import warp as wp

BLOCK = wp.constant(64)
COLS = wp.constant(96)
TILE = wp.constant(8)
LEVELS = wp.constant(16)


@wp.kernel
def scan_blocks(values: wp.array(dtype=int), scanned: wp.array(dtype=int), totals: wp.array(dtype=int)):
    """Scan each block of the values, and store its total."""
    block = wp.tid()
    tile = wp.tile_load(values, shape=BLOCK, offset=block * BLOCK)
    wp.tile_store(scanned, wp.tile_scan_exclusive(tile), offset=block * BLOCK)
    wp.tile_store(totals, wp.tile_sum(tile), offset=block)


@wp.kernel
def scan_totals(totals: wp.array(dtype=int), before: wp.array(dtype=int), blocks: int):
    """Sum the totals of the blocks before each one, 32 at a time."""
    _, lane = wp.tid()
    carry = int(0)
    for first in range(0, blocks, 32):
        own = int(0)
        if first + lane < blocks:
            own = totals[first + lane]
        tile = wp.tile(own)
        scanned = wp.untile(wp.tile_scan_exclusive(tile))
        if first + lane < blocks:
            before[first + lane] = carry + scanned
        carry += wp.tile_extract(wp.tile_sum(tile), 0)


@wp.kernel
def add_before(scanned: wp.array(dtype=int), before: wp.array(dtype=int)):
    """Add to each element what lies before its block."""
    i = wp.tid()
    scanned[i] += before[i // BLOCK]


@wp.kernel
def softmax(scores: wp.array2d(dtype=float), weights: wp.array2d(dtype=float)):
    """Turn each row of scores into weights that sum to one."""
    row = wp.tid()
    tile = wp.tile_load(scores[row], shape=COLS)
    largest = wp.tile_extract(wp.tile_max(tile), 0)
    powers = wp.tile_map(wp.exp, tile - wp.tile_full(shape=COLS, value=largest, dtype=float))
    total = wp.tile_extract(wp.tile_sum(powers), 0)
    wp.tile_store(weights[row], powers * (1.0 / total))


@wp.kernel
def mix(weights: wp.array2d(dtype=float), values: wp.array2d(dtype=float), mixed: wp.array2d(dtype=float)):
    """Average the values, by the weights of each row."""
    row, column = wp.tid()
    total = float(0.0)
    for k in range(COLS):
        total += weights[row, k] * values[k, column]
    mixed[row, column] = total


@wp.kernel
def count_levels(image: wp.array2d(dtype=int), counts: wp.array3d(dtype=int)):
    """Count the levels of each tile of the image, in shared memory."""
    tile_row, tile_column, lane = wp.tid()
    counted = wp.tile_zeros(shape=LEVELS, dtype=int, storage="shared")
    row = tile_row * TILE + lane // TILE
    column = tile_column * TILE + lane % TILE
    level = image[row, column]
    wp.tile_scatter_add(counted, level, 1, True)
    wp.tile_store(counts[tile_row, tile_column], counted)


@wp.kernel
def look_up(image: wp.array2d(dtype=int), counts: wp.array3d(dtype=int), ranks: wp.array2d(dtype=int)):
    """Count how many pixels of its tile are no brighter than each pixel."""
    row, column = wp.tid()
    total = int(0)
    for level in range(image[row, column] + 1):
        total += counts[row // TILE, column // TILE, level]
    ranks[row, column] = total


@wp.kernel
def sum_of_squares(x: wp.array(dtype=float), sums: wp.array(dtype=float)):
    """Add up the squares of a block's threads."""
    i = wp.tid()
    total = wp.tile_sum(wp.tile(x[i] * x[i]))
    wp.tile_store(sums, total, offset=i // wp.block_dim())


@wp.kernel
def scale(x: wp.array(dtype=float), sums: wp.array(dtype=float)):
    """Divide each element by the norm of its block."""
    i = wp.tid()
    x[i] /= 1.0 + wp.sqrt(sums[i // 128])


PARTS = [
    "scan_blocks", "scan_totals", "add_before", "softmax", "mix", "count_levels", "look_up", "sum_of_squares", "scale",
]  # fmt: skip

LAUNCH = {
    "exclusive_scan": {
        "sizes": {"blocks": "(n + 63) // 64", "padded": "64 * blocks"},
        "steps": [
            {"kernel": "scan_blocks", "dims": ["blocks"], "block_dim": 64},
            {"kernel": "scan_totals", "dims": [1], "block_dim": 32},
            {"kernel": "add_before", "dims": ["padded"]},
        ],
        "parameters": {
            "values": {"shape": ["padded"], "values": {"integers": [0, 10]}},
            "scanned": {"role": "out", "shape": ["padded"]},
            "totals": {"role": "out", "shape": ["blocks"]},
            "before": {"role": "out", "shape": ["blocks"]},
            "blocks": {"values": {"size": "blocks"}},
        },
    },
    "attention": {
        "sizes": {"rows": "(n + 15) // 16", "columns": "7"},
        "steps": [
            {"kernel": "softmax", "dims": ["rows"], "block_dim": 96},
            {"kernel": "mix", "dims": ["rows", "columns"]},
        ],
        "parameters": {
            "scores": {"shape": ["rows", 96], "values": {"uniform": [-4.0, 4.0]}},
            "weights": {"role": "out", "shape": ["rows", 96]},
            "values": {"shape": [96, "columns"], "values": {"uniform": [-1.0, 1.0]}},
            "mixed": {"role": "out", "shape": ["rows", "columns"]},
        },
        "equality": "bounded",
    },
    "local_ranks": {
        "sizes": {"tile_rows": "3", "tile_cols": "(n + 191) // 192", "rows": "8 * tile_rows", "cols": "8 * tile_cols"},
        "steps": [
            {"kernel": "count_levels", "dims": ["tile_rows", "tile_cols"], "block_dim": 64},
            {"kernel": "look_up", "dims": ["rows", "cols"]},
        ],
        "parameters": {
            "image": {"shape": ["rows", "cols"], "values": {"integers": [0, 16]}},
            "counts": {"role": "out", "shape": ["tile_rows", "tile_cols", 16]},
            "ranks": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "normalize_twice": {
        "sizes": {"blocks": "(n + 127) // 128", "padded": "128 * blocks"},
        "steps": [
            {"repeat": 2, "steps": [
                {"kernel": "sum_of_squares", "dims": ["padded"], "block_dim": 128, "tiled": False},
                {"kernel": "scale", "dims": ["padded"]},
            ]},
        ],
        "parameters": {
            "x": {"role": "inout", "shape": ["padded"], "values": {"uniform": [-1.0, 1.0]}},
            "sums": {"role": "out", "shape": ["blocks"]},
        },
        "equality": "bounded",
    },
}  # fmt: skip
