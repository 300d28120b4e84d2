"""Rows that a thread goes through: how they lie in memory, which elements count, in which order."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert
from weft.kernels.grids import threads
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.types import Scalar

LAYOUTS = ("matrix", "matrix", "columns", "flat", "batched", "interleaved", "gathered")


@dataclasses.dataclass(slots=True, eq=False)
class Row:
    """One thread's row of `length` elements at most; `at(j)` reads one, `count` is how many there are."""

    k: Builder
    noun: str
    length: int
    count: Expr | int
    at: Callable[[Expr | int], Expr]
    skip: Callable[[Expr | int], Expr] | None = None
    place: Callable[[Expr | int], tuple[Expr | int, ...]] = lambda j: (j,)
    shape: tuple[str, ...] = ()

    @contextlib.contextmanager
    def each(self, start: Expr | int = 0, name: str = "j") -> Iterator[tuple[Name, Expr]]:
        """A loop over the row: its counter, and the element, named."""
        with self.k.loop(name, start, self.count) as j:
            if self.skip is not None:
                with self.k.when(self.skip(j)):
                    self.k.jump("continue")
            yield j, self.k.let(self.k.rng.pick("x", "value", "entry"), self.at(j))


def row(
    k: Builder,
    element: Scalar,
    values: dict[str, Any] | None = None,
    *,
    whole_rows: bool = False,
    placed: bool = False,
    longest: int = 48,
) -> Row:
    """One thread for each row, and a way to read it.

    `whole_rows` leaves nothing out; `placed` asks for layouts in which an output of the same shape can be
    written.
    """
    noun = k.rng.pick("samples", "readings", "scores", "costs", "prices", "heights", "signals", "loads")
    layouts = LAYOUTS[:4] if placed else LAYOUTS
    layout = k.rng.pick(*layouts)
    threads(k, 1, name=k.rng.pick("row", "i", "item", "channel"))
    i, size = k.index[0], k.shape[0]
    length = k.rng.pick(*[one for one in (6, 8, 12, 16, 24, 32, 48) if one <= longest])
    values = values or uniform(-1.0, 1.0)
    count: Expr | int = length
    shape: tuple[str, ...]

    def place(j: Expr | int) -> tuple[Expr | int, ...]:
        return (i, j)

    match layout:
        case "columns":
            shape = (str(length), size)

            def place(j: Expr | int) -> tuple[Expr | int, ...]:
                return (j, i)

            k.notes.append("A row's elements lie below each other")
        case "flat":
            shape = (f"{length} * {size}",)

            def place(j: Expr | int) -> tuple[Expr | int, ...]:
                return (i * length + j,)
        case "interleaved":
            parts = k.rng.pick(2, 3)
            part = k.rng.below(parts)
            shape = (size, str(length), str(parts))

            def place(j: Expr | int) -> tuple[Expr | int, ...]:
                return (i, j, part)

            k.notes.append(f"Only part {part} of each element of a row counts")
        case "batched":
            batches = k.rng.pick(2, 3, 4)
            shape = (str(batches), size, str(length))
            which = k.array("batch_ids", I32, [size], {"integers": [0, batches]})[i]
            chosen = k.let("batch", which)

            def place(j: Expr | int) -> tuple[Expr | int, ...]:
                return (chosen, i, j)

            k.notes.append("Each row is taken from its batch")
        case _:
            shape = (size, str(length))
    if layout == "gathered":
        data = k.array(noun, element, ["n"], values)
        neighbors = k.array(
            k.rng.pick("neighbors", "indices"), I32, [size, str(length)], {"integers": [0, "n"]}
        )

        def at(j: Expr | int) -> Expr:
            return data[neighbors[i, j]]

        noun = f"gathered {noun}"
    else:
        data = k.array(noun, element, shape, values)

        def at(j: Expr | int) -> Expr:
            return data[place(j)]

    skip = None
    if not whole_rows:
        match k.rng.below(6):
            case 0:
                lengths = k.array(k.rng.pick("lengths", "counts"), I32, [size], {"integers": [2, length + 1]})
                count = k.let("length", lengths[i])
                k.notes.append("Rows have lengths of their own")
            case 1:
                flags = k.array(k.rng.pick("valid", "mask_bits"), I32, [str(length)], {"integers": [0, 2]})

                def skip(j: Expr | int) -> Expr:
                    return flags[j].equals(0)

                k.notes.append("Columns that are not marked are left out")
            case _:
                pass
    return Row(k, noun, length, count, at, skip, place, shape)


def size_of(found: Row, like: Scalar) -> Expr | float:
    """How many elements the row has, as a number of a type."""
    if isinstance(found.count, int):
        return float(found.count)
    return bounded(convert(like, found.count), 2.0, float(found.length))
