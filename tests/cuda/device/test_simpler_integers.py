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


@pytest.mark.parametrize("program", [BIN, SEARCH, REST, FIRST])
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


@pytest.mark.parametrize("program", [NEGATIVE, BREAK, MOVED])
def test_an_index_that_may_be_negative_is_wrapped(program: str, tmp_path: Path) -> None:
    assert "wrap_index" in text_of(tmp_path, program)
