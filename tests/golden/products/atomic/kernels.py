"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places.
"""

import warp as wp


NO_KEY = wp.constant(wp.int64(9223372036854775807))


@wp.func
def pack(amount: int, index: int):
    """Pack an amount and an index into a key that orders by amount, then by index, so that ties do
    not depend on timing."""
    return (wp.int64(amount) << wp.int64(32)) | wp.int64(index)


@wp.kernel
def clear_keys(keys: wp.array(dtype=wp.int64)):
    """Reset the key of every cell to NO_KEY."""
    i = wp.tid()
    keys[i] = NO_KEY


@wp.kernel
def offer_keys(
    cells: wp.array(dtype=int),
    distances: wp.array(dtype=int),
    keys: wp.array(dtype=wp.int64),
):
    """Offer each event to its cell; one atomic keeps the smallest key."""
    i = wp.tid()
    wp.atomic_min(keys, cells[i], pack(distances[i], i))


@wp.kernel
def read_winners(
    keys: wp.array(dtype=wp.int64),
    winners: wp.array(dtype=int),
    least_distances: wp.array(dtype=int),
):
    """Unpack the winning event of each cell and its amount; both are -1 if there is none."""
    i = wp.tid()
    key = keys[i]
    winner = int(-1)
    amount = int(-1)
    if key != NO_KEY:
        winner = int(key & wp.int64(0xFFFFFFFF))
        amount = int(key >> wp.int64(32))
    winners[i] = winner
    least_distances[i] = amount


LAUNCH = {
    "closest_event_by_key": {
        "description": "Find the nearest event of each cell by an atomic minimum on distance and index in one key.",
        "sizes": {"count": "n // 4 + 3"},
        "difficulty": "expert",
        "steps": [
            {"kernel": "clear_keys", "dims": ["count"], "arguments": {}},
            {"kernel": "offer_keys", "dims": ["n"], "arguments": {}},
            {"kernel": "read_winners", "dims": ["count"], "arguments": {}},
        ],
        "parameters": {
            "cells": {"role": "in", "shape": ["n"], "values": {"integers": [0, "count"]}},
            "distances": {"role": "in", "shape": ["n"], "values": {"integers": [1, 100000]}},
            "keys": {"role": "out", "shape": ["count"]},
            "winners": {"role": "out", "shape": ["count"]},
            "least_distances": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "closest_event_by_key": {"goal": "atomic.packed_argmin", "ending": "written", "formulas": []},
}

PARTS = ["clear_keys", "offer_keys", "read_winners"]
