"""What a launcher refuses, it refuses without an overflow of its own."""

from __future__ import annotations

import itertools
import math

import pytest

from weft.cuda.host_launcher import exceed_int

INT_MAX = 2**31 - 1
VALUES = (0, 1, 2, 7, 1000, 46340, 46341, 65536, INT_MAX - 1, INT_MAX)


class Int64(int):
    """An integer that must fit into 64 bits."""

    def __mul__(self, other: int) -> Int64:
        product = int(self) * int(other)
        assert product < 2**63
        return Int64(product)


def evaluate(test: str, values: dict[str, int]) -> bool:
    """A test of the launcher in Python; its operands are never negative."""
    python = test.replace("/", "//").replace("||", "or")
    return bool(eval(python, {"int64_t": Int64, "INT_MAX": INT_MAX, **values}))


PRODUCTS = [
    (["a"], ""),
    (["a", "6"], ""),
    (["a", "b"], ""),
    (["4", "a", "b", "8"], ""),
    (["a", "b", "c"], "abc"),
    (["a", "b", "c"], "b"),
    (["2", "a", "b", "c"], "c"),
    (["a", "b", "c", "d"], "abcd"),
    (["a", "b", "c", "d"], "ad"),
]


@pytest.mark.parametrize(("factors", "positive"), PRODUCTS)
def test_a_product_is_refused_if_it_is_no_int(factors: list[str], positive: str) -> None:
    names = [factor for factor in factors if not factor.isdigit()]
    number = math.prod(int(factor) for factor in factors if factor.isdigit())
    test = exceed_int(factors, positive)
    for values in itertools.product(VALUES, repeat=len(names)):
        given = dict(zip(names, values, strict=True))
        if all(given[name] for name in positive):
            exceeds = number * math.prod(values) > INT_MAX
            # What has no element may be refused for what it would have otherwise.
            assert evaluate(test, given) == exceeds or 0 in values, (test, given)


def test_factors_that_are_numbers_are_one() -> None:
    assert exceed_int(["32", "8", "rows"], ()) == "rows > INT_MAX / 256"
    assert exceed_int(["a", "b", "c"], {"a", "b", "c"}) == "int64_t(a) * b > INT_MAX / c"
    assert exceed_int(["a", "b", "c"], ()) == "int64_t(a) * b > INT_MAX || int64_t(a) * b * c > INT_MAX"
