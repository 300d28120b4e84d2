"""Sums that one of a few threads takes of a whole row: the threads of a block sum and scan together."""

import warp as wp

DIGITS = wp.constant(16)
LEVELS = wp.constant(4096)


@wp.kernel
def up_to_each(counts: wp.array(dtype=int), cumulative: wp.array(dtype=int)):
    """Each thread adds up the elements up to its own."""
    level = wp.tid()
    total = int(0)
    for k in range(level + 1):
        total += counts[k]
    cumulative[level] = total


@wp.kernel
def before_each(
    counts: wp.array(dtype=wp.uint32), weights: wp.array(dtype=wp.uint32), places: wp.array(dtype=wp.uint32)
):
    """Each thread adds up products before its own, which wrap around."""
    i = wp.tid()
    total = wp.uint32(0)
    for k in range(i):
        total += counts[k] * weights[k]
    places[i] = total + wp.uint32(i)


@wp.kernel
def rows_of_few_threads(
    counts: wp.array2d(dtype=int),
    num_columns: int,
    offsets: wp.array2d(dtype=int),
    totals: wp.array(dtype=int),
):
    """An exclusive scan of a row by each of three threads, and its sum."""
    row = wp.tid()
    total = int(0)
    for column in range(num_columns):
        offsets[row, column] = total
        total += counts[row, column]
    totals[row] = total


@wp.kernel
def one_thread(values: wp.array(dtype=wp.int64), count: int, sums: wp.array(dtype=wp.int64)):
    """An inclusive scan by one thread, from the second element on."""
    i = wp.tid()
    total = wp.int64(0)
    for k in range(1, count):
        total += values[k]
        sums[i + k] = total


@wp.kernel
def no_place(counts: wp.array(dtype=int), num_blocks: int, starts: wp.array(dtype=int)):
    """An exclusive scan by one thread that does not ask which it is."""
    total = int(0)
    for block in range(num_blocks):
        starts[block] = total
        total += counts[block]


@wp.kernel
def few_numbers(counts: wp.array(dtype=int), starts: wp.array(dtype=int)):
    """The same of as many elements as the kernel says, which one thread has sooner than a block."""
    total = int(0)
    for digit in range(DIGITS):
        starts[digit] = total
        total += counts[digit]


@wp.kernel
def many_numbers(counts: wp.array(dtype=int), starts: wp.array(dtype=int)):
    """The same of many: a block is sooner done."""
    total = int(0)
    for level in range(LEVELS):
        starts[level] = total
        total += counts[level]


@wp.kernel
def sums_of_columns(copies: wp.array2d(dtype=int), num_copies: int, merged: wp.array(dtype=int)):
    """A sum of a column by each of 40 threads."""
    column = wp.tid()
    total = int(0)
    for copy in range(num_copies):
        total += copies[copy, column]
    merged[column] = total


@wp.kernel
def reads_what_it_stores(values: wp.array(dtype=int), count: int, sums: wp.array(dtype=int)):
    """A recurrence, which is no scan."""
    i = wp.tid()
    total = int(0)
    for k in range(1, count):
        total += sums[i + k - 1] + values[k]
        sums[i + k] = total


@wp.kernel
def counts_the_turns(values: wp.array(dtype=int), count: int, sums: wp.array(dtype=int)):
    """A sum that has the loop's own variable."""
    row = wp.tid()
    total = int(0)
    for k in range(count):
        total += values[k] * (k + row)
    sums[row] = total


LAUNCH = {
    "up_to_each": {
        "dims": [96],
        "parameters": {
            "counts": {"shape": [96], "values": {"integers": [-1000000000, 1000000000]}},
            "cumulative": {"role": "out", "shape": [96]},
        },
    },
    "before_each": {
        "dims": [256],
        "parameters": {
            "counts": {"shape": [256], "values": {"integers": [0, 4000000000]}},
            "weights": {"shape": [256], "values": {"integers": [0, 100]}},
            "places": {"role": "out", "shape": [256]},
        },
    },
    "rows_of_few_threads": {
        "sizes": {"columns": "9 * n"},
        "dims": [3],
        "parameters": {
            "counts": {"shape": [3, "columns"], "values": {"integers": [-1000000000, 1000000000]}},
            "num_columns": {"values": {"size": "columns"}},
            "offsets": {"role": "out", "shape": [3, "columns"]},
            "totals": {"role": "out", "shape": [3]},
        },
    },
    "one_thread": {
        "sizes": {"count": "16 * n + 1"},
        "dims": [1],
        "parameters": {
            "values": {"shape": ["count"], "values": {"integers": [-1000000000, 1000000000]}},
            "count": {"values": {"size": "count"}},
            "sums": {"role": "inout", "shape": ["count"], "values": {"constant": 7}},
        },
    },
    "no_place": {
        "sizes": {"blocks": "n + 5"},
        "dims": ["1"],
        "parameters": {
            "counts": {"shape": ["blocks"], "values": {"integers": [0, 9]}},
            "num_blocks": {"values": {"size": "blocks"}},
            "starts": {"role": "out", "shape": ["blocks"]},
        },
    },
    "few_numbers": {
        "dims": ["1"],
        "parameters": {
            "counts": {"shape": ["16"], "values": {"integers": [0, 9]}},
            "starts": {"role": "out", "shape": ["16"]},
        },
    },
    "many_numbers": {
        "dims": ["1"],
        "parameters": {
            "counts": {"shape": ["4096"], "values": {"integers": [0, 9]}},
            "starts": {"role": "out", "shape": ["4096"]},
        },
    },
    "sums_of_columns": {
        "sizes": {"num_copies": "8 * n"},
        "dims": [40],
        "parameters": {
            "copies": {"shape": ["num_copies", 40], "values": {"integers": [-1000000000, 1000000000]}},
            "num_copies": {"values": {"size": "num_copies"}},
            "merged": {"role": "out", "shape": [40]},
        },
    },
    "reads_what_it_stores": {
        "dims": [1],
        "parameters": {
            "values": {"shape": ["n"], "values": {"integers": [-9, 9]}},
            "count": {"values": {"size": "n"}},
            "sums": {"role": "inout", "shape": ["n"], "values": {"constant": 1}},
        },
    },
    "counts_the_turns": {
        "dims": [4],
        "parameters": {
            "values": {"shape": ["n"], "values": {"integers": [-9, 9]}},
            "count": {"values": {"size": "n"}},
            "sums": {"role": "out", "shape": [4]},
        },
    },
}
