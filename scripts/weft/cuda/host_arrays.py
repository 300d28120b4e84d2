"""The types of the arrays of `main`; a function that takes them is a template unless one type is enough."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True)
class ArrayType:
    """`element` is what the device holds, `number` what the host has for it: `float3` and `float`."""

    element: str
    number: str

    @property
    def is_plain(self) -> bool:
        """Whether the host holds elements as they are."""
        return self.element == self.number

    def __str__(self) -> str:
        return f"Array<{self.element}>" if self.is_plain else f"Array<{self.element}, {self.number}>"


@dataclasses.dataclass(frozen=True)
class Form:
    """How a function names the type of its array, and that of a number, under which `template`, if any."""

    template: str
    array: str
    number: str


def form(types: Iterable[ArrayType]) -> Form:
    """For a function that is called with arrays of these types."""
    distinct = list(dict.fromkeys(types))
    numbers = {one.number for one in distinct}
    if len(distinct) == 1:
        return Form("", str(distinct[0]), distinct[0].number)
    if all(one.is_plain for one in distinct):
        return Form("template <typename T>\n", "Array<T>", "T")
    if len(numbers) == 1:
        number = numbers.pop()
        return Form("template <typename T>\n", f"Array<T, {number}>", number)
    return Form("template <typename T, typename Number>\n", "Array<T, Number>", "Number")
