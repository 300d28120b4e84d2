"""Kernels of the category multi_launch, seed 0.

Programs of several launches: ping-pong, stages, branches, and host steps between them.
"""

import warp as wp


@wp.kernel
def find_lowest(values: wp.array(dtype=wp.float32), n: int, lowest_out: wp.array(dtype=wp.float32)):
    """Smallest of all values, times 2.0."""
    i = wp.tid()
    if i >= n:
        return
    wp.atomic_min(lowest_out, 0, 2.0 * values[i])


@wp.kernel
def find_highest(
    values: wp.array(dtype=wp.float32),
    num_items: int,
    highest_out: wp.array(dtype=wp.float32),
):
    """Largest of all values, times 2.0."""
    i = wp.tid()
    if i >= num_items:
        return
    x = 2.0 * values[i]
    wp.atomic_max(highest_out, 0, x)


@wp.kernel
def stretch(
    values: wp.array(dtype=wp.float32),
    lowest_in: wp.array(dtype=wp.float32),
    highest_in: wp.array(dtype=wp.float32),
    out: wp.array(dtype=wp.float32),
):
    """Each value's place between the extremes, eased."""
    item = wp.tid()
    bottom = lowest_in[0]
    width = highest_in[0] - bottom + 0.38
    share = (2.0 * values[item] - bottom) / width
    out[item] = share * share * (3.0 - 2.0 * share)


@wp.kernel
def find_largest(values: wp.array(dtype=wp.float32), best: wp.array(dtype=wp.float32)):
    """Largest of the values."""
    i = wp.tid()
    wp.atomic_max(best, 0, values[i])


LAUNCH = {
    "rescale": {
        "difficulty": "medium",
        "steps": [
            {
                "kernel": "find_lowest",
                "dims": ["(n + 31) // 32 * 32"],
                "arguments": {"values": "heights", "lowest_out": "lowest", "n": "n"},
            },
            {
                "kernel": "find_highest",
                "dims": ["(n + 63) // 64 * 64"],
                "arguments": {"values": "heights", "highest_out": "highest", "num_items": "num_items"},
            },
            {
                "kernel": "stretch",
                "dims": ["n"],
                "arguments": {"values": "heights", "lowest_in": "lowest", "highest_in": "highest", "out": "stretched"},
            },
            {
                "kernel": "find_largest",
                "dims": ["n"],
                "arguments": {"values": "stretched", "best": "largest"},
            },
        ],
        "parameters": {
            "heights": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "n": {"values": {"size": "n"}},
            "num_items": {"values": {"size": "n"}},
            "lowest": {"role": "inout", "shape": ["1"], "values": {"constant": 50.0}},
            "highest": {"role": "inout", "shape": ["1"], "values": {"constant": -50.0}},
            "stretched": {"role": "out", "shape": ["n"]},
            "largest": {"role": "inout", "shape": ["1"], "values": {"constant": -100.0}},
        },
    },
}

PARTS = ["find_lowest", "find_highest", "stretch", "find_largest"]
