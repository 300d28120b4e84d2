"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


RADIX = wp.constant(4)
CHUNK = wp.constant(32)
SCAN_TILE = wp.constant(256)


@wp.func
def digit_of(key: wp.uint32, shift: int):
    """Return the digit of a key that starts at bit `shift`."""
    return int((key >> wp.uint32(shift)) & wp.uint32(RADIX - 1))


@wp.kernel
def count_digits(keys: wp.array(dtype=wp.uint32), shift: int, counts: wp.array2d(dtype=int)):
    """Count the digits in each chunk of CHUNK keys; counts[d, c] belongs to digit d and chunk c."""
    i = wp.tid()
    wp.atomic_add(counts, digit_of(keys[i], shift), i // CHUNK, 1)


@wp.kernel
def scan_chunks(
    counts: wp.array2d(dtype=int), offsets: wp.array2d(dtype=int), digit_totals: wp.array(dtype=int)
):
    """Compute the exclusive prefix sums of each digit's counts over the chunks, and the total count
    of each digit. A block scans the counts of a digit in tiles of SCAN_TILE."""
    digit = wp.tid()
    total = int(0)
    for first in range(0, counts.shape[1], SCAN_TILE):
        tile = wp.tile_load(counts[digit], shape=SCAN_TILE, offset=first)
        before = wp.tile_scan_exclusive(tile) + wp.tile_full(SCAN_TILE, total, dtype=int)
        wp.tile_store(offsets[digit], before, offset=first)
        tile_total = wp.tile_sum(tile)
        total += tile_total[0]
    digit_totals[digit] = total


@wp.kernel
def start_digits(digit_totals: wp.array(dtype=int), digit_starts: wp.array(dtype=int)):
    """Compute the place of each digit's first key: the number of keys with smaller digits."""
    tile = wp.tile_load(digit_totals, shape=RADIX)
    wp.tile_store(digit_starts, wp.tile_scan_exclusive(tile))


@wp.kernel
def scatter_keys(
    keys: wp.array(dtype=wp.uint32),
    values: wp.array(dtype=int),
    shift: int,
    digit_starts: wp.array(dtype=int),
    offsets: wp.array2d(dtype=int),
    sorted_keys: wp.array(dtype=wp.uint32),
    sorted_values: wp.array(dtype=int),
):
    """Move each key and its value to its place in a stable sort: behind all keys with smaller
    digits, and those with the same digit in earlier chunks or earlier in its own chunk."""
    i = wp.tid()
    key = keys[i]
    digit = digit_of(key, shift)
    chunk = i // CHUNK
    place = digit_starts[digit] + offsets[digit, chunk]
    for earlier in range(chunk * CHUNK, i):
        if digit_of(keys[earlier], shift) == digit:
            place += 1
    sorted_keys[place] = key
    sorted_values[place] = values[i]


LAUNCH = {
    "counting_sort_digit": {
        "description": "Sort key-value pairs stably by one 2-bit digit, which is one pass of a radix sort: count, scan and scatter.",
        "sizes": {"num_chunks": "(n + 31) // 32"},
        "difficulty": "expert",
        "steps": [
            {"zero": "counts"},
            {"kernel": "count_digits", "dims": ["n"], "arguments": {}},
            {"kernel": "scan_chunks", "dims": ["4"], "block_dim": 256, "arguments": {}},
            {"kernel": "start_digits", "dims": ["1"], "block_dim": 32, "arguments": {}},
            {"kernel": "scatter_keys", "dims": ["n"], "arguments": {}},
        ],
        "parameters": {
            "keys": {"role": "in", "shape": ["n"], "values": {"integers": [0, 4294967295]}},
            "values": {"role": "in", "shape": ["n"], "values": {"integers": [0, 1000000]}},
            "shift": {"values": {"integers": [0, 31]}},
            "counts": {"role": "out", "shape": ["4", "num_chunks"]},
            "offsets": {"role": "out", "shape": ["4", "num_chunks"]},
            "digit_totals": {"role": "out", "shape": ["4"]},
            "digit_starts": {"role": "out", "shape": ["4"]},
            "sorted_keys": {"role": "out", "shape": ["n"]},
            "sorted_values": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "counting_sort_digit": {"goal": "histogram.radix_sort_pass", "ending": "written", "formulas": []},
}

PARTS = ["count_digits", "scan_chunks", "start_digits", "scatter_keys"]
