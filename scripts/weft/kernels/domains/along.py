"""Loops along the trailing dimension of what each element has: a row, a series, a polynomial."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert
from weft.kernels.program import Expr, Name
from weft.types import Type

Term = Callable[[Expr], Expr]


LAST = 0.8
"""How likely numbers of an element's own lie with the element's index last, side by side for a warp."""


def elements_last(k: Builder) -> bool:
    """Is the element's index the last one in the program's arrays of several numbers an element?"""
    return k.once("elements last", lambda: k.rng.chance(LAST))


def are_columns(k: Builder) -> bool:
    """Does an array have its elements' own numbers with the element's index last?"""
    return any(len(one.shape) > 1 and one.shape[-1:] == k.shape for one in k.parameters)


@dataclasses.dataclass(frozen=True, slots=True)
class Slots:
    """An array in which each element has some numbers of its own, read by element and slot."""

    array: ArrayHandle
    last: bool

    def __getitem__(self, place: tuple[Expr, Expr | int]) -> Expr:
        element, slot = place
        return self.array[(slot, element) if self.last else (element, slot)]

    def at(self, slot: str) -> str:
        """The number of element i in a slot, as a docstring has it."""
        return f"{self.array.name}[{slot}, i]" if self.last else f"{self.array.name}[i, {slot}]"

    def tell(self, k: Builder, what: str, element: str, counts: str | None) -> None:
        """Note what the slots hold, and which are used: so many as an array says, or those before a -1."""
        told = f"`{self.at('k')}` is {what} k of {element} i"
        if counts is not None:
            k.notes.append(f"{told}, which has `{counts}[i]` of them")
        else:
            k.notes.append(f"{told}, and -1 ends the list")


def slots(k: Builder, name: str, kind: Type, size: str, recipe: dict[str, Any]) -> Slots:
    """An input of so many numbers for each element on a line."""
    last = elements_last(k)
    return Slots(k.input(name, kind, [size, "n"] if last else ["n", size], recipe), last)


def extent(k: Builder, size: str) -> Expr:
    """How many elements there are along a dimension, a parameter: a kernel works on rows of any length."""
    return k.size(f"num_{size}", size)


def number_of(k: Builder, size: str) -> Expr:
    """The same as a float."""
    return convert(k.real, extent(k, size))


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
