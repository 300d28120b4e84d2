"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


@wp.func
def first_not_below(sorted_keys: wp.array(dtype=int), key: int):
    """Index of the first element that is not below the key."""
    low = int(0)
    high = sorted_keys.shape[0]
    while low < high:
        mid = (low + high) / 2
        if sorted_keys[mid] < key:
            low = mid + 1
        else:
            high = mid
    return low


@wp.kernel
def count_in_range(
    sorted_keys: wp.array(dtype=int),
    starts: wp.array(dtype=int),
    ends: wp.array(dtype=int),
    counts: wp.array(dtype=int),
):
    """How many elements of a sorted table lie in each half-open range."""
    i = wp.tid()
    counts[i] = first_not_below(sorted_keys, ends[i]) - first_not_below(sorted_keys, starts[i])


LAUNCH = {
    "count_in_range": {
        "sizes": {"size": "n // 3 + 5"},
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "sorted_keys": {"role": "in", "shape": ["size"], "values": {"offsets": [4, 4]}},
            "starts": {"role": "in", "shape": ["n"], "values": {"integers": [0, "2 * size"]}},
            "ends": {"role": "in", "shape": ["n"], "values": {"integers": ["2 * size", "4 * size"]}},
            "counts": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "count_in_range": {"goal": "control_flow.binary_search", "ending": "written", "formulas": []},
}
