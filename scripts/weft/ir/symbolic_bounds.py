"""Upper bounds of non-negative integers, as polynomials in extents."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from weft.sizes import Size

MAX_TERMS = 12
MAX_DEGREE = 6


@dataclasses.dataclass(frozen=True)
class Extent:
    """A count of things.

    Launch dimension `tid`, axis number `axis` of array `name`, parameter `name`, the number `name` (literal),
    what the elements of an array stay below (values; `name` is `array:member`), or how often an atomic on
    array `name` hands out a slot.
    """

    kind: Literal["tid", "axis", "parameter", "literal", "values", "slots"]
    name: str
    axis: int = 0


Monomial = tuple[Extent, ...]
Bound = tuple[tuple[Monomial, int], ...]
"""The sum of its monomials, each times a number, in a fixed order; `()` is zero."""


def bound(terms: Mapping[Monomial, int]) -> Bound:
    """The bound with these terms."""
    return tuple(sorted((one for one in terms.items() if one[1]), key=lambda one: _order(one[0])))


def _order(monomial: Monomial) -> tuple[int, list[tuple[str, str, int]]]:
    return -len(monomial), [(one.kind, one.name, one.axis) for one in monomial]


def add(one: Bound, other: Bound) -> Bound:
    """The sum."""
    terms = dict(one)
    for monomial, factor in other:
        terms[monomial] = terms.get(monomial, 0) + factor
    return bound(terms)


def multiply(one: Bound, other: Bound) -> Bound:
    """The product."""
    terms: dict[Monomial, int] = {}
    for left, a in one:
        for right, b in other:
            monomial = tuple(sorted((*left, *right), key=lambda e: (e.kind, e.name, e.axis)))
            terms[monomial] = terms.get(monomial, 0) + a * b
    return bound(terms)


def divide(one: Bound, divisor: int) -> Bound:
    """A bound of what is left after a division that rounds down."""
    if any(factor % divisor for monomial, factor in one if monomial):
        return one
    return bound({monomial: factor // divisor for monomial, factor in one})


def largest(bounds: Sequence[Bound]) -> list[Bound]:
    """Those bounds that no other one is always at least as large as; extents are at least one."""
    kept: list[Bound] = []
    for one in bounds:
        if not any(_is_above(other, one) for other in kept):
            kept = [other for other in kept if not _is_above(one, other)] + [one]
    return kept


def _is_above(one: Bound, other: Bound) -> bool:
    """Whether the difference is a sum of monomials, each at least as large as a factor of it taken away."""
    difference = add(one, multiply(other, (((), -1),)))
    more = {monomial: factor for monomial, factor in difference if factor > 0}
    for monomial, factor in difference:
        missing = -factor
        for larger in more:
            if missing > 0 and not Counter(monomial) - Counter(larger):
                used = min(missing, more[larger])
                more[larger] -= used
                missing -= used
        if missing > 0:
            return False
    return True


def is_small(one: Bound) -> bool:
    """Whether a bound is short enough to go on with; loops that add up make them grow."""
    return len(one) <= MAX_TERMS and all(len(monomial) <= MAX_DEGREE for monomial, _ in one)


def atoms(one: Bound) -> Iterator[tuple[Extent, int]]:
    """Every extent in a bound, with the degree of its monomial."""
    for monomial, _ in one:
        for extent in monomial:
            yield extent, len(monomial)


def as_size(one: Bound, size_of: Callable[[Extent], Size]) -> Size:
    """How many values are up to a bound, as a size expression that is positive."""
    terms: dict[tuple[str, ...], int] = {(): 1}
    for monomial, factor in one:
        sizes = [size_of(extent) for extent in monomial]
        numbers = [int(size) for size in sizes if isinstance(size, int) or size.isdigit()]
        names = [grouped(size) for size in sizes if not isinstance(size, int) and not size.isdigit()]
        key = tuple(sorted(names))
        terms[key] = terms.get(key, 0) + factor * math.prod(numbers)
    constant = terms.pop((), 0)
    positive = [_product(names, factor) for names, factor in terms.items() if factor > 0]
    negative = [_product(names, -factor) for names, factor in terms.items() if factor < 0]
    if not positive:
        return max(constant, 1)
    text = " + ".join(positive + ([str(constant)] if constant > 0 else []))
    text += "".join(f" - {part}" for part in negative + ([str(-constant)] if constant < 0 else []))
    return f"max(1, {text})" if negative or constant < 0 else text


def _product(names: tuple[str, ...], factor: int) -> str:
    return " * ".join([*([str(factor)] if factor != 1 else []), *names])


def grouped(size: Size) -> str:
    """A size as a factor of a product."""
    text = str(size)
    simple = text.isidentifier() or text.isdigit() or (text.startswith(("min(", "max(")) and _closes(text))
    return text if simple else f"({text})"


def _closes(text: str) -> bool:
    """Whether the first parenthesis is closed by the last letter."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter == ")":
            return index == len(text) - 1
    return False
