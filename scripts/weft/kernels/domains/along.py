"""Loops along the trailing dimension of what each element has: a row, a series, a polynomial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert
from weft.kernels.program import Expr, Name

Term = Callable[[Expr], Expr]


def extent(k: Builder, size: str) -> Expr | int:
    """How many elements there are along a dimension: a parameter, or a number in the text."""
    literal = k.once(f"literal {size}", lambda: k.rng.chance(0.3))
    return int(k.sizes[size]) if literal else k.size(f"num_{size}", size)


def number_of(k: Builder, size: str) -> Expr | float:
    """The same as a float."""
    count = extent(k, size)
    return float(count) if isinstance(count, int) else convert(k.real, count)


@contextmanager
def each(k: Builder, name: str, size: str, start: Expr | int = 0) -> Iterator[Name]:
    """A loop over a dimension."""
    with k.loop(name, start, extent(k, size)) as j:
        yield j


def summed(k: Builder, name: str, size: str, term: Term, start: int = 0) -> Expr:
    """The sum of a term over a dimension."""
    total = k.var(name, 0.0)
    with each(k, "j", size, start) as j:
        k.add(total, term(j))
    return total


def at(k: Builder, rows: ArrayHandle, *place: Expr | int) -> Expr:
    """An element of what the thread's element has, along one dimension or several."""
    (element,) = k.index
    last = rows.parameter.shape[-1] == k.shape[0]
    return rows[(*place, element) if last else (element, *place)]


def summed_squares(k: Builder, name: str, size: str, term: Term) -> Expr:
    """The sum of a term's square over a dimension; the term gets the name."""
    total = k.var("square_sum", 0.0)
    with each(k, "j", size) as j:
        value = k.let(name, term(j))
        k.add(total, value * value)
    return bounded(total, 0.0, max(total.interval.hi, 0.0))
