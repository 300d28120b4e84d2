"""Kernels of the category multi_launch, seed 0.

Programs of several launches: ping-pong, stages, branches, and host steps between them.
"""

import warp as wp


@wp.kernel
def make_low(values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32), num_items: int):
    """Mean over 3 places, nothing beyond the ends."""
    i = wp.tid()
    if i >= num_items:
        return
    total = float(0.0)
    for d in range(-1, 2):
        j = i + d
        if j >= 0 and j < num_items:
            total += values[j]
    out[i] = total / 3.0


@wp.kernel
def make_high(values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32), num_cells: int):
    """The positive parts of the values, plus a tenth of the values."""
    cell = wp.tid()
    if cell >= num_cells:
        return
    total = float(0.0)
    total = values[cell]
    x = values[cell]
    out[cell] = wp.max(x, 0.0) + 0.1 * total


@wp.kernel
def join(
    first: wp.array(dtype=wp.float32),
    second: wp.array(dtype=wp.float32),
    share: float,
    out: wp.array(dtype=wp.float32),
):
    """Length of both features and an offset."""
    item = wp.tid()
    x = first[item]
    y = second[item]
    out[item] = wp.sqrt(share + x * x + y * y)


@wp.kernel
def observe(values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32), num_cells: int):
    """Differences between neighbors, around the end."""
    cell = wp.tid()
    if cell >= num_cells:
        return
    out[cell] = values[(cell + 1) % num_cells] - values[cell]


LAUNCH = {
    "branches_that_join": {
        "difficulty": "hard",
        "steps": [
            {"parallel": [
                [
                    {
                        "kernel": "make_low",
                        "dims": ["(n + 127) // 128 * 128"],
                        "arguments": {"values": "image_row", "out": "low", "num_items": "num_items"},
                    },
                ],
                [
                    {
                        "kernel": "make_high",
                        "dims": ["(n + 63) // 64 * 64"],
                        "arguments": {"values": "image_row", "out": "high", "num_cells": "num_cells"},
                    },
                ],
            ]},
            {
                "kernel": "join",
                "dims": ["n"],
                "arguments": {"first": "low", "second": "high", "out": "joined", "share": "share"},
            },
            {
                "kernel": "observe",
                "dims": ["(n + 63) // 64 * 64"],
                "arguments": {"values": "joined", "out": "shown", "num_cells": "num_cells"},
            },
        ],
        "parameters": {
            "image_row": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "num_items": {"values": {"size": "n"}},
            "num_cells": {"values": {"size": "n"}},
            "share": {"values": {"uniform": [0.2, 0.8]}},
            "low": {"role": "out", "shape": ["n"]},
            "high": {"role": "out", "shape": ["n"]},
            "joined": {"role": "out", "shape": ["n"]},
            "shown": {"role": "out", "shape": ["n"]},
        },
    },
}

PARTS = ["make_low", "make_high", "join", "observe"]
