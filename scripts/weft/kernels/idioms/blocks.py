"""Rows that blocks reduce and write: a row a block as a tile, several rows a block, or threads that stride.

An idiom says what it takes of elements, columns and rows, what is summed along a row, and what is stored; the
form decides how that is written. What is said of elements is an `Operand`; how it is made is a builtin by
name (`"sub"`), or a `Map`, which becomes a function of the program where tiles are mapped.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr, Name
from weft.kernels.types import F16, F32, scalar_of
from weft.kernels.words import plural
from weft.types import Scalar

ROWS = ("(n + 63) // 64", "(n + 63) // 64", "(n + 31) // 32", "min(n, 200)")


def exact(step: int) -> str:
    """A size that is a multiple of a step, for extents that are as large as a thousand at most."""
    return f"{step} * min((n + 31) // 32, {640 // step})"


COUNTED = {4: "four", 8: "eight", 16: "sixteen"}


@dataclasses.dataclass(frozen=True, slots=True)
class Map:
    """A function of elements: its name and docstring as a `@wp.func`, and what it computes.

    `bounds` are proved by its author, where those of interval arithmetic are too wide.
    """

    name: str
    doc: str
    body: Callable[..., Expr]
    bounds: tuple[float, float] | None = None


@dataclasses.dataclass(slots=True, eq=False)
class Operand:
    """Something of each element, column or row: its name, and where it comes from."""

    name: str
    of: str
    value: Expr | None = None
    array: ArrayHandle | None = None
    made: tuple[Map | str, tuple[Operand, ...]] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Total:
    """A reduction along each row: its name, `sum`, `max` or `min`, and of what; its bounds, if proved."""

    name: str
    how: str
    of: Operand
    bounds: tuple[float, float] | None = None


class Rows:
    """The rows of a matrix, of `length` elements each, and the blocks that work on them."""

    def __init__(
        self,
        k: Builder,
        nouns: tuple[str, str, str],
        form: str,
    ) -> None:
        """`nouns` are the index of a row and the names of both extents."""
        self.k, self.form = k, form
        index, rows, columns = nouns
        k.equality = "bounded"
        k.sizes[rows] = k.rng.pick(*ROWS)
        self.count, self.per_block = rows, 1
        if form == "panel":
            self.per_block, self.length = k.rng.pick(4, 8, 8, 16), k.rng.pick(16, 32, 32, 64)
            width = 128 if self.per_block * self.length >= 256 else 64
            (block,) = k.blocks([f"({rows} + {self.per_block - 1}) // {self.per_block}"], ["block"], width)
            self.first = block * self.per_block
            self.columns, self.least = str(self.length), self.length
            return
        if form == "row":
            self.length = k.rng.pick(128, 256, 256, 512, 1024)
            width = min(256, max(64, self.length // 2))
            self.columns = str(self.length)
        else:
            width = k.rng.pick(64, 128, 128, 256)
            self.length = width * k.rng.pick(2, 4, 6, 8) + k.rng.pick(0, 0, 10, 44)
            self.columns = columns
            self.literal = k.rng.chance(0.3)
            k.sizes[columns] = str(self.length) if self.literal else f"min(n // 2 + {width}, {self.length})"
        self.least = k.smallest(self.columns)
        (self.first,) = k.blocks([rows], [index], width)

    @property
    def place(self) -> Expr:
        """The index of the block's row."""
        return self.first

    @property
    def blocks(self) -> str:
        """How blocks share the rows, as a sentence."""
        if self.form == "panel":
            return f"Each block works on {COUNTED[self.per_block]} rows"
        if self.form == "stride":
            return f"{self.k.block_dim} threads share each row"
        return "One block works on each row"

    def _loaded(self, name: str, tile: Expr) -> Name:
        suffixed = self.k.once("tile suffix", lambda: self.k.rng.chance(0.5))
        return self.k.let(f"{name}_tile" if suffixed else name, tile)

    def _recipe(self, element: Scalar, low: float, high: float) -> dict[str, Any]:
        return whole(int(low), int(high)) if element.is_integer else uniform(low, high)

    def read(
        self, name: str, low: float, high: float, *, element: Scalar | None = None, plural_name: str = ""
    ) -> Operand:
        """A matrix of numbers, one for each element; perhaps in half precision."""
        k = self.k
        kind = element or k.real
        half = kind == F32 and k.once("half", lambda: k.rng.chance(0.12))
        array = k.array(
            plural_name or plural(name),
            F16 if half else kind,
            [self.count, self.columns],
            self._recipe(kind, low, high),
        )
        array.stands_for = _widened if half else None
        if self.form == "stride":
            return Operand(name, "element", array=array)
        if self.form == "row":
            tile = tiles.load(array, (self.length,), row=(self.first,))
        else:
            tile = tiles.load(array, (self.per_block, self.length), (self.first, 0))
        return Operand(name, "element", self._loaded(name, tiles.astype(tile, F32) if half else tile), array)

    def column(self, name: str, low: float, high: float, *, plural_name: str = "") -> Operand:
        """A number for each column, which all rows share."""
        k = self.k
        array = k.array(plural_name or plural(name), k.real, [self.columns], self._recipe(k.real, low, high))
        if self.form == "stride":
            return Operand(name, "column", array=array)
        return Operand(name, "column", self._loaded(name, tiles.load(array, (self.length,))))

    def row(self, name: str, low: float, high: float, *, element: Scalar | None = None) -> Operand:
        """A number for each row."""
        k = self.k
        kind = element or k.real
        array = k.array(plural(name), kind, [self.count], self._recipe(kind, low, high))
        if self.form == "panel":
            tile = tiles.load(array, (self.per_block,), (self.first,))
            return Operand(name, "row", k.let(name, tile))
        return Operand(name, "row", k.let(name, array[self.first]))

    def number(self, value: Expr) -> Operand:
        """A number that all elements share."""
        return Operand("", "number", value)

    def element(self, name: str, by: Map | str, *of: Operand) -> Operand:
        """Something of each element that is made of others; a tile, or what a loop computes again."""
        if self.form == "stride":
            return Operand(name, "element", made=(by, of))
        return Operand(name, "element", self.k.let(name, self._mapped(by, of)))

    def _mapped(self, by: Map | str, of: Sequence[Operand]) -> Expr:
        """A tile, element by element."""
        k = self.k
        values = [self._tile(one) for one in of]
        if isinstance(by, str):
            alike = len(values) == 2 and values[0].type == values[1].type
            return _SYMBOLS[by](*values) if alike and by in _SYMBOLS else tiles.mapped(by, *values)
        names = by.body.__code__.co_varnames[1 : 1 + len(values)]
        result = tiles.applied(k, by.name, by.doc, dict(zip(names, values, strict=True)), by.body)
        return bounded(result, *by.bounds) if by.bounds else result

    def _tile(self, one: Operand) -> Expr:
        """An operand as maps of tiles take it."""
        assert one.value is not None
        if self.form == "row" or one.of in ("element", "number"):
            return one.value
        shape = (self.per_block, self.length)
        if one.of == "column":
            return tiles.broadcast(one.value, shape)
        return tiles.broadcast(tiles.reshaped(one.value, (self.per_block, 1)), shape)

    def _at(self, j: Name, one: Operand, known: dict[Operand, Expr], *, used_once: bool = False) -> Expr:
        """An operand at a column, for a thread; what is asked for again has its name."""
        if one.value is not None:
            return one.value
        if one not in known:
            if one.array is not None:
                found = one.array[j] if one.of == "column" else one.array[self.first, j]
            else:
                assert one.made is not None
                by, of = one.made
                values = [self._at(j, each, known) for each in of]
                if isinstance(by, str):
                    found = _SYMBOLS[by](*values) if by in _SYMBOLS else getattr(ops, by)(*values)
                else:
                    found = by.body(self.k, *values)
                    found = bounded(found, *by.bounds) if by.bounds else found
            if used_once:
                return found
            known[one] = found if isinstance(found, Name) else self.k.let(one.name, found)
        return known[one]

    def totals(self, *wanted: Total) -> tuple[Operand, ...]:
        """Several reductions along each row, in one pass."""
        if self.form == "stride":
            return self._strided(wanted)
        found = []
        for one in wanted:
            tile = self._tile(one.of)
            if self.form == "panel":
                value = (
                    tiles.summed(tile, 1, free_order=True)
                    if one.how == "sum"
                    else tiles.reduced(one.how, tile, 1)
                )
            else:
                value = (
                    tiles.summed(tile, free_order=True) if one.how == "sum" else tiles.extreme(one.how, tile)
                )[0]
            found.append(Operand(one.name, "row", self._kept(one, value)))
        return tuple(found)

    def _kept(self, one: Total, value: Expr) -> Name:
        return self.k.let(one.name, bounded(value, *one.bounds) if one.bounds else value)

    def _strided(self, wanted: Sequence[Total]) -> tuple[Operand, ...]:
        """Each thread takes elements a block's width apart; the block joins what they have."""
        k = self.k
        k.in_block()
        own = []
        for one in wanted:
            edge = {"max": -INFINITY, "min": INFINITY}.get(one.how)
            bounds = None if edge is None else (-math.inf, math.inf)
            own.append(k.var(f"own_{one.name}", edge or 0.0, bounds=bounds))
        known: dict[Operand, Expr] = {}
        with self.each() as j:
            for one, variable in zip(wanted, own, strict=True):
                value = self._at(j, one.of, known, used_once=len(wanted) == 1)
                if one.how == "sum":
                    k.add(variable, value)
                else:
                    k.set(variable, getattr(ops, one.how)(variable, value))
        found = []
        for one, variable in zip(wanted, own, strict=True):
            lanes = tiles.of_threads(k, variable)
            joined = (
                tiles.summed(lanes, free_order=True) if one.how == "sum" else tiles.extreme(one.how, lanes)
            )
            found.append(Operand(one.name, "row", self._kept(one, joined[0])))
        return tuple(found)

    def extent(self) -> Expr | int:
        """How many elements a row has: a parameter, or a number in the text."""
        return self.length if self.literal else self.k.size(f"num_{self.columns}", self.columns)

    def each(self) -> Any:
        """A thread's loop over columns, a block's width apart."""
        k = self.k
        assert k.block_dim is not None
        return k.loop("j", k.in_block(), self.extent(), k.block_dim)

    def of_rows(self, name: str, by: Map, *of: Operand) -> Operand:
        """A number of each row that is made of others."""
        values = [one.value for one in of]
        assert all(one is not None for one in values)
        if self.form == "panel":
            names = by.body.__code__.co_varnames[1 : 1 + len(values)]
            operands = dict(zip(names, (one for one in values if one is not None), strict=True))
            result = tiles.applied(self.k, by.name, by.doc, operands, by.body)
        else:
            result = by.body(self.k, *values)
        return Operand(name, "row", self.k.let(name, bounded(result, *by.bounds) if by.bounds else result))

    def mean(self, name: str, total: Operand) -> Operand:
        """A sum of each row over the number of elements."""
        assert total.value is not None
        count: Expr | float = float(self.length)
        if self.form == "stride":
            columns = self.extent()
            count = convert(self.k.real, columns) if isinstance(columns, Expr) else count
        value = total.value * (1.0 / self.length) if self.form == "panel" else total.value / count
        return Operand(name, "row", self.k.let(name, value))

    def write(self, name: str, by: Map | str, *of: Operand, element: Scalar | None = None) -> None:
        """Store something of each element."""
        k = self.k
        if self.form == "stride":
            known: dict[Operand, Expr] = {}
            result = Operand(name, "element", made=(by, of))
            out: ArrayHandle | None = None
            with self.each() as j:
                value = self._at(j, result, known, used_once=True)
                out = k.array(plural(name), value.type, [self.count, self.columns], None, "out")
                k.store(out, (self.first, j), value)
            return
        self.keep(**{name: self.element(name, by, *of)})

    def keep(self, **values: Operand) -> None:
        """Store tiles of elements, and numbers of rows, under their names."""
        k = self.k
        several = {name: one.value for name, one in values.items() if one.value is not None}
        arrays = {}
        for name, one in values.items():
            assert one.value is not None
            shape = [self.count] if one.of == "row" else [self.count, self.columns]
            arrays[name] = k.array(plural(name), scalar_of(one.value.type), shape, None, "out")
            if self.form == "panel":
                tiles.store(k, arrays[name], one.value, (self.first, 0)[: len(shape)])
            elif one.of != "row":
                tiles.store(k, arrays[name], one.value, row=(self.first,))
        if self.form != "panel" and any(one.of == "row" for one in values.values()):
            with k.when(k.in_block().equals(0)):
                for name, value in several.items():
                    if values[name].of == "row":
                        k.store(arrays[name], self.first, value)


_SYMBOLS: dict[str, Callable[..., Expr]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
}


def _widened(value: Expr) -> Expr:
    """What a number of half precision stands for."""
    return convert(F32, value)
