"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def longest_run(
    labels: wp.array2d(dtype=wp.int32),
    starts: wp.array(dtype=wp.int32),
    lengths: wp.array(dtype=wp.int32),
    length_histogram: wp.array(dtype=wp.int32),
    wanted: int,
    base: int,
    other_length: int,
):
    """Longest run of a wanted symbol in each row, and where it starts. labels has a column for each
    row. The length is added to base. A histogram counts the result modulo 16."""
    tid = wp.tid()
    row = other_length - 1 - tid
    longest = int(0)
    start = int(0)
    for first in range(12):
        if labels[first, row] != wanted:
            continue
        length = int(1)
        for next_values in range(first + 1, 12):
            if labels[next_values, row] != labels[first, row]:
                break
            length = length + 1
        if length > longest:
            longest = length
            start = first
    starts[row] = start
    final_length = base + longest
    lengths[row] = final_length
    wp.atomic_add(length_histogram, final_length % 16, 1)


LAUNCH = {
    "longest_run": {
        "sizes": {"width": "12"},
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "labels": {"role": "in", "shape": ["width", "n"], "values": {"integers": [0, 3]}},
            "starts": {"role": "out", "shape": ["n"]},
            "lengths": {"role": "out", "shape": ["n"]},
            "length_histogram": {"role": "inout", "shape": ["16"], "values": {"constant": 0}},
            "wanted": {"values": {"integers": [0, 3]}},
            "base": {"values": {"integers": [1, 51]}},
            "other_length": {"values": {"size": "n"}},
        },
    },
}
