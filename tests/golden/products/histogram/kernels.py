"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


RADIX = wp.constant(4)
CHUNK = wp.constant(64)


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
    of each digit."""
    digit = wp.tid()
    total = int(0)
    for chunk in range(counts.shape[1]):
        offsets[digit, chunk] = total
        total += counts[digit, chunk]
    digit_totals[digit] = total


@wp.kernel
def scan_digits(digit_totals: wp.array(dtype=int), digit_starts: wp.array(dtype=int)):
    """Compute where the keys of each digit begin in the sorted order, the number of keys with
    smaller digits. One thread is enough for RADIX digits."""
    total = int(0)
    for digit in range(RADIX):
        digit_starts[digit] = total
        total += digit_totals[digit]


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
    """Move each key and its value behind all keys with smaller digits and all earlier keys with the
    same digit. A thread moves one chunk in order, so that the sort is stable, and `offsets`
    advances with each key."""
    chunk = wp.tid()
    for i in range(chunk * CHUNK, wp.min((chunk + 1) * CHUNK, keys.shape[0])):
        digit = digit_of(keys[i], shift)
        offset = offsets[digit, chunk]
        offsets[digit, chunk] = offset + 1
        place = digit_starts[digit] + offset
        sorted_keys[place] = keys[i]
        sorted_values[place] = values[i]


LAUNCH = {
    "counting_sort_digit": {
        "description": "Sort key-value pairs stably by one 2-bit digit, which is one pass of a radix sort: count, scan and scatter.",
        "sizes": {"num_chunks": "(n + 63) // 64"},
        "difficulty": "expert",
        "steps": [
            {"zero": "counts"},
            {"kernel": "count_digits", "dims": ["n"], "arguments": {}},
            {"kernel": "scan_chunks", "dims": ["4"], "arguments": {}},
            {"kernel": "scan_digits", "dims": ["1"], "arguments": {}},
            {"kernel": "scatter_keys", "dims": ["num_chunks"], "arguments": {}},
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

PARTS = ["count_digits", "scan_chunks", "scan_digits", "scatter_keys"]
