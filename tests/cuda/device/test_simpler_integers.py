"""A wrap of a negative index is left out where an index cannot be negative, and only there."""

from pathlib import Path

import pytest
from translated import text_of

BIN = """
@wp.func
def bin_of(value: float):
    return wp.clamp(int(value), 0, 7)


@wp.kernel
def kernel(x: wp.array(dtype=float), counts: wp.array(dtype=int)):
    counts[bin_of(x[wp.tid()])] = 1
"""

SEARCH = """
@wp.kernel
def kernel(x: wp.array(dtype=int), n: int, y: wp.array(dtype=int)):
    i = wp.tid()
    found = int(n)
    place = int(0)
    while place < 100:
        if x[place] == 7:
            found = place
            break
        place += 1
    if found >= 0:
        y[found] = i
    y[place] = i
"""

REST = """
@wp.kernel
def kernel(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    y[i - i / 7 * 7] = x[i - i % 3]
"""

FIRST = """
@wp.kernel
def kernel(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    place = int(-1)
    while True:
        if x[i] > 3:
            place = i
            break
        if x[i] > 2:
            place = i + 1
            break
    y[place] = 1
"""

FLAG = """
@wp.kernel
def kernel(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    edge = i == 0 or j == 0
    if edge:
        y[i, j] = 0.0
        return
    y[i, j] = x[i - 1, j] + x[i, j - 1]
"""

CLAMPED = """
@wp.func
def clamped(index: int, size: int):
    return wp.min(wp.max(index, 0), size - 1)


@wp.func
def border(x: wp.array2d(dtype=float), i: int, j: int):
    rows = x.shape[0]
    cols = x.shape[1]
    return x[wp.min(i + 1, rows - 1), wp.min(j + 1, cols - 1)]


@wp.kernel
def kernel(x: wp.array2d(dtype=float), steps: wp.array(dtype=int), cols: int, y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[i, clamped(j + steps[i], cols)] + border(x, i, j)


LAUNCH = {
    "kernel": {
        "dims": ["n", "m"],
        "sizes": {"m": "16"},
        "parameters": {
            "x": {"role": "in", "shape": ["n", "m"], "values": {"uniform": [0.0, 1.0]}},
            "steps": {"role": "in", "shape": ["n"], "values": {"integers": [-9, 9]}},
            "cols": {"values": {"size": "m"}},
            "y": {"role": "out", "shape": ["n", "m"]},
        }
    }
}
"""

PERIODIC = """
@wp.func
def wrapped(index: int, size: int):
    return (index % size + size) % size


@wp.kernel
def kernel(x: wp.array(dtype=float), steps: wp.array(dtype=int), count: int, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[wrapped(i + steps[i], count)]


LAUNCH = {
    "kernel": {
        "dims": ["n"],
        "sizes": {"m": "16"},
        "parameters": {
            "x": {"role": "in", "shape": ["m"], "values": {"uniform": [0.0, 1.0]}},
            "steps": {"role": "in", "shape": ["n"], "values": {"integers": [-9, 9]}},
            "count": {"values": {"size": "m"}},
            "y": {"role": "out", "shape": ["n"]},
        }
    }
}
"""

PROBE = """
@wp.kernel
def kernel(keys: wp.array(dtype=int), capacity: int, table: wp.array(dtype=int)):
    i = wp.tid()
    slot = wp.abs(keys[i] / 2) % capacity
    for probe in range(8):
        if table[slot] == keys[i]:
            return
        slot = (slot + 1) % capacity


LAUNCH = {
    "kernel": {
        "dims": ["n"],
        "sizes": {"m": "2 * n + 8"},
        "parameters": {
            "keys": {"role": "in", "shape": ["n"], "values": {"integers": [0, 1000]}},
            "capacity": {"values": {"size": "m"}},
            "table": {"role": "inout", "shape": ["m"], "values": {"constant": 0}},
        }
    }
}
"""

BITS = """
@wp.kernel
def kernel(codes: wp.array(dtype=wp.uint32), counts: wp.array(dtype=int)):
    left = codes[wp.tid()]
    ones = int(0)
    while left > wp.uint32(0):
        left = left & (left - wp.uint32(1))
        ones = ones + 1
    counts[ones] = 1
"""

CELLS = """
@wp.kernel
def kernel(points: wp.array(dtype=wp.vec2), corner: wp.vec2, scale: float, cells: wp.array2d(dtype=float)):
    local = (points[wp.tid()] - corner) * scale
    cells[int(wp.floor(local[0])), int(wp.floor(local[1]))] = 1.0


LAUNCH = {
    "kernel": {
        "dims": ["n"],
        "parameters": {
            "points": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "corner": {"values": {"uniform": [-1.5, -1.2]}},
            "scale": {"values": {"uniform": [4.0, 8.0]}},
            "cells": {"role": "inout", "shape": [32, 32], "values": {"constant": 0.0}},
        }
    }
}
"""

LISTED = """
@wp.kernel
def kernel(steps: wp.array(dtype=int), x: wp.array(dtype=float), count: int, y: wp.array(dtype=float)):
    i = wp.tid()
    for q in range(3):
        y[i] = y[i] + x[(i + steps[q] + count) % count]


LAUNCH = {
    "kernel": {
        "dims": ["m"],
        "sizes": {"m": "n + 2"},
        "parameters": {
            "steps": {"role": "in", "shape": [3], "values": {"list": [0, 1, -1]}},
            "x": {"role": "in", "shape": ["m"], "values": {"uniform": [0.0, 1.0]}},
            "count": {"values": {"size": "m"}},
            "y": {"role": "inout", "shape": ["m"], "values": {"constant": 0.0}},
        }
    }
}
"""


TREE = """
@wp.kernel
def kernel(x: wp.array(dtype=float), splits: wp.array(dtype=float), leaves: wp.array(dtype=float)):
    i = wp.tid()
    node = int(0)
    for level in range(6):
        if x[i] <= splits[node]:
            node = 2 * node + 1
        else:
            node = 2 * node + 2
    x[i] = leaves[node - 63]
"""

UNEVEN_TREE = """
@wp.kernel
def kernel(x: wp.array(dtype=float), splits: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    node = int(0)
    depth = int(0)
    while depth < 6 and splits[node] >= 0.0:
        node = wp.where(x[i] <= splits[node], 2 * node + 1, 2 * node + 2)
        depth += 1
    y[node] = depth
"""

PATTERN = """
@wp.kernel
def kernel(x: wp.array2d(dtype=float), counts: wp.array(dtype=int)):
    i, j = wp.tid()
    code = int(0)
    for di in range(3):
        for dj in range(3):
            code = 2 * code + (1 if x[i + di, j + dj] < x[i, j] else 0)
    wp.atomic_add(counts, code, 1)
"""

MASKED = """
@wp.kernel
def kernel(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    y[i - (i & 1)] = x[i - (x[i] & i)]
"""


@pytest.mark.parametrize(
    "program",
    [
        BIN,
        SEARCH,
        REST,
        FIRST,
        FLAG,
        CLAMPED,
        PERIODIC,
        PROBE,
        BITS,
        CELLS,
        LISTED,
        TREE,
        UNEVEN_TREE,
        PATTERN,
        MASKED,
    ],
)
def test_an_index_that_cannot_be_negative_is_not_wrapped(program: str, tmp_path: Path) -> None:
    assert "wrap_index" not in text_of(tmp_path, program)


EVEN = """
@wp.kernel
def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.exp(-x[i] * 2.0 * x[i + 1])
"""


def test_a_factor_of_an_exponent_is_negated_plainly(tmp_path: Path) -> None:
    assert "expf(-x[i] * 2.0f * x[" in text_of(tmp_path, EVEN)


SHIFT = """
@wp.kernel
def kernel(keys: wp.array(dtype=wp.uint32), steps: wp.array(dtype=int), y: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    for part in range(4):
        y[i] += (keys[i] >> wp.uint32(8 * part)) ^ (keys[i] << wp.uint32(steps[i]))
"""


def test_bits_are_counted_without_a_cast(tmp_path: Path) -> None:
    text = text_of(tmp_path, SHIFT)
    assert "keys[i] >> (8 * part)" in text and "keys[i] << steps[i]" in text


NEGATIVE = BIN.replace("0, 7", "-1, 7")
BREAK = SEARCH.replace("found = place\n", "found = place\n            place = -1\n")

MOVED = """
@wp.kernel
def kernel(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    count = int(0)
    for _ in range(4000000):
        for j in range(100):
            count += 1
            if x[j] == i:
                count += 1000
                break
    y[count] = i
"""

STALE = FLAG.replace("if edge:", "j = j - 1\n    if edge:").replace(
    "i, j = wp.tid()", "i, k = wp.tid()\n    j = int(k)"
)
SKIPPED = BITS.replace(
    "left = left &",
    "ones = ones + 1\n        if left > wp.uint32(7):\n            continue\n        left = left &",
)
BEYOND = CELLS.replace("-1.5, -1.2", "-0.9, 0.0")
FARTHER = LISTED.replace("0, 1, -1", "0, 1, -4")


LEAF = TREE.replace("63", "64")
LEFT = TREE.replace("        else:", "            if x[i] > 9.0:\n                break\n        else:")
DEEP = TREE.replace("range(6)", "range(31)").replace("leaves[node - 63]", "0.0")
AGAIN = UNEVEN_TREE.replace("        depth += 1", "        if x[i] < 9.0:\n            depth += 1")
UNKNOWN_BITS = MASKED.replace("i & 1", "x[i] & -2")


@pytest.mark.parametrize(
    "program",
    [NEGATIVE, BREAK, MOVED, STALE, SKIPPED, BEYOND, FARTHER, LEAF, LEFT, DEEP, AGAIN, UNKNOWN_BITS],
)
def test_an_index_that_may_be_negative_is_wrapped(program: str, tmp_path: Path) -> None:
    assert "wrap_index" in text_of(tmp_path, program)


CLAMP = """
@wp.kernel
def kernel(x: wp.array(dtype=int), k: int, y: wp.array(dtype=int)):
    i = wp.tid()
    if {test}:
        y[i] = 1


LAUNCH = {{"kernel": {{"dims": ["n"], "parameters": {{
    "x": {{"shape": ["n"], "values": {{"integers": [0, 9]}}}},
    "k": {{"values": {{"constant": 3}}}},
    "y": {{"role": "out", "shape": ["n"]}},
}}}}}}
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("i == 0 or x[wp.max(i - 1, 0)] > 3", "i == 0 || x[i - 1] > 3"),
        ("i > 0 and x[wp.max(i - 1, 0)] > 3", "i > 0 && x[i - 1] > 3"),
        ("x[wp.min(i, x.shape[0] - 1)] > 3", "x[i] > 3"),
        ("i == 1 or x[wp.max(i - 1, 0)] > 3", "i == 1 || x[max(i - 1, 0)] > 3"),
        ("wp.min(i + 1, x.shape[0] - 1) > 3", "min(i + 1, n - 1) > 3"),
        ("wp.max(k, 0) > i", "max(k, 0) > i"),
    ],
    ids=["behind or", "behind and", "in the launch", "another place", "the next", "what a caller gives"],
)
def test_a_clamp_that_cannot_act_is_left_out(tmp_path: Path, test: str, expected: str) -> None:
    assert f"if ({expected})" in text_of(tmp_path, CLAMP.format(test=test))
