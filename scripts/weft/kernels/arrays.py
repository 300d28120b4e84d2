"""Array parameters as idioms see them, and what their recipes and sizes promise."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from weft.kernels import intervals
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.ownership import Owner
from weft.kernels.program import Expr, Parameter, Undefined
from weft.kernels.types import scalar_of
from weft.sizes import evaluate_size, size_names
from weft.types import Type

if TYPE_CHECKING:
    from weft.kernels.builder import Builder

LARGEST_N = 70_000
EXACT_SUMS = {"float32": 2.0**24, "float64": 2.0**53}


def recipe_interval(values: dict[str, Any], largest: Callable[[str], int]) -> Interval:
    """What a recipe of the launch description promises about each component; `largest` bounds sizes."""
    ((kind, arguments),) = values.items()
    match kind:
        case "uniform" | "unit":
            return Interval(*arguments)
        case "integers":
            low, high = arguments
            if isinstance(high, str):
                return Interval(low, largest(high) - 1, True, high, -1)
            return intervals.whole(low, high - 1)
        case "permutation":
            return Interval(0, LARGEST_N, True, arguments, -1)
        case "list":
            return intervals.whole(min(arguments), max(arguments))
        case "constant":
            return Interval(arguments, arguments, float(arguments).is_integer())
        case _:
            return EVERYTHING


@dataclasses.dataclass(slots=True, eq=False)
class ArrayHandle:
    """An array parameter that idioms index: `a[i]` reads, `builder.store(a, i, v)` writes.

    `stands_for` makes of an element, as it is stored, the number that it stands for.
    """

    builder: Builder
    parameter: Parameter
    element: Type
    interval: Interval
    pattern: tuple[Owner, ...] | None = None
    atomic: str | None = None
    members: dict[str, Interval] | None = None
    base: Expr | None = None
    stands_for: Callable[[Expr], Expr] | None = None

    @property
    def name(self) -> str:
        """What it is called, alone or as a member of a struct."""
        return self.parameter.name.rpartition(".")[2]

    def __getitem__(self, index: Expr | int | tuple[Expr | int, ...]) -> Expr:
        item = self.builder.place(self, index)
        if self.parameter.role == "out":
            raise Undefined(f"{self.parameter.name} is an output and is never read")
        if self.parameter.role == "inout":
            self.builder.claim(self, item)
        return item if self.stands_for is None else self.stands_for(item)


def size_at(size: str, sizes: Mapping[str, str], n: int) -> int:
    """The value of a size expression for the base size n, with the named sizes of the kernel."""
    used = size_names(size)
    named = [(name, size_at(value, sizes, n)) for name, value in sizes.items() if name in used]
    return _size_at(size, n, tuple(named))


@functools.lru_cache(maxsize=4096)
def _size_at(size: str, n: int, named: tuple[tuple[str, int], ...]) -> int:
    return evaluate_size(size, {"n": n, **dict(named)})


def atomic_family(
    kind: str, array: ArrayHandle, value: Expr, times: float, *, free_order: bool = False
) -> str:
    """`sum`, `min` or `max`: atomics of one family commute. `times` bounds how often the atomic is executed.

    With `free_order` the results are judged within the bounds of every order, so that floats may round.

    Raises Undefined where the order of the threads would show: a second family on the same array, or a float
    sum that rounds. Also where an integer sum overflows.
    """
    name, scalar = array.parameter.name, scalar_of(value.type)
    family = "sum" if kind in ("add", "sub", "+=", "-=") else kind
    if array.atomic not in (None, family):
        raise Undefined(f"{name}: {kind} after {array.atomic} depends on the order of threads")
    if family == "sum":
        total = value.interval.magnitude * times
        if (
            scalar.is_float
            and not free_order
            and not (value.interval.integral and total < EXACT_SUMS[scalar.name])
        ):
            raise Undefined(
                f"{name}: the sum of {value.interval} depends on the order of {times:.0f} additions"
            )
        if scalar.is_signed and total >= 2 ** (8 * scalar.bytes - 1):
            raise Undefined(f"{name}: the sum of {value.interval} overflows {scalar}")
    return family
