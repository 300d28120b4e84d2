"""The relations between extents that a run over a kernel finds, and how each parameter is used."""

from __future__ import annotations

import ast
import dataclasses
import itertools
from collections.abc import Sequence

from weft.function_source import FunctionSource
from weft.ir.index_values import (
    MAX_MEANINGS,
    UNKNOWN,
    Meaning,
    Value,
    combined,
    upper,
    values,
    values_extent,
    views,
)
from weft.ir.symbolic_bounds import Bound, Extent

Where = tuple[FunctionSource, ast.expr]
"""A function and an expression in it."""


@dataclasses.dataclass
class IndexFacts:
    """The result: relations between extents, and how each parameter is used.

    `rows` are guesses: that a parameter is how far a row reaches that another extent runs along. `compared`
    has the constants that a parameter, or the elements of an array (`array:member`), are compared with.
    `most` has what an extent must not exceed, for components of a vector are picked with it. `stored` has
    where copied elements come from, and where they go. `scattered` are the arrays
    whose elements say where something is stored: no two threads may find the same there. `reached` are the
    greatest indices at which something is stored that is not where an element says. `segments` are the arrays
    of which an element ends what another one begins.
    """

    rank: int
    same: list[tuple[Extent, Extent]] = dataclasses.field(default_factory=list)
    rows: list[tuple[Extent, Extent]] = dataclasses.field(default_factory=list)
    margins: dict[Extent, int] = dataclasses.field(default_factory=dict)
    scaled: dict[Extent, list[Value]] = dataclasses.field(default_factory=dict)
    spans: dict[Extent, list[Bound]] = dataclasses.field(default_factory=dict)
    minimum: dict[Extent, int] = dataclasses.field(default_factory=dict)
    most: dict[Extent, int] = dataclasses.field(default_factory=dict)
    holds_indices: dict[tuple[str, str], list[Extent]] = dataclasses.field(default_factory=dict)
    stored: dict[tuple[tuple[str, str], tuple[str, str]], None] = dataclasses.field(default_factory=dict)
    scattered: dict[str, None] = dataclasses.field(default_factory=dict)
    reached: dict[Bound, None] = dataclasses.field(default_factory=dict)
    segments: dict[str, None] = dataclasses.field(default_factory=dict)
    indexes: dict[str, list[Extent]] = dataclasses.field(default_factory=dict)
    bounds: set[Extent] = dataclasses.field(default_factory=set)
    loops: set[Extent] = dataclasses.field(default_factory=set)
    seeds: set[str] = dataclasses.field(default_factory=set)
    handles: set[str] = dataclasses.field(default_factory=set)
    divisors: set[str] = dataclasses.field(default_factory=set)
    compared: dict[str, set[int]] = dataclasses.field(default_factory=dict)
    unknown: dict[str, Where] = dataclasses.field(default_factory=dict)
    reads: set[str] = dataclasses.field(default_factory=set)
    writes: set[str] = dataclasses.field(default_factory=set)
    float_atomics: bool = False
    uses_tid: bool = False
    uses_tiles: bool = False

    def touch(self, meaning: Meaning, *, read: bool = False, write: bool = False) -> None:
        """Note that elements of arrays are read or written."""
        names = {view.name for view in views(meaning)}
        self.reads |= names if read else set()
        self.writes |= names if write else set()

    def copied(self, meaning: Meaning, target: Meaning) -> None:
        """Note that elements of some arrays are stored as elements of others."""
        loaded = [item for item in values(meaning) if item.kind == "loaded"]
        sources = [(one.extent.name, one.path) for one in loaded if one.extent and not one.offset]
        targets = [(view.name, view.path) for view in views(target)]
        self.stored |= {(source, place): None for source in sources for place in targets}

    def follow_copies(self) -> None:
        """What is copied to where indices are held is an index, too."""
        for _ in self.stored:
            for source, target in self.stored:
                held = self.holds_indices.get(source, [])
                more = [axis for axis in self.holds_indices.get(target, []) if axis not in held]
                if more:
                    self.holds_indices[source] = [*held, *more]

    def follow_scatters(self) -> None:
        """What says which element says where something is stored must be different for each thread, too."""
        for _ in self.holds_indices:
            for (array, path), axes in self.holds_indices.items():
                if not path and any(axis.kind == "axis" and axis.name in self.scattered for axis in axes):
                    self.scattered[array] = None

    def indexed(self, array: str, axis: int, meaning: Meaning, where: Where) -> None:
        """Note that the array is indexed by these values along an axis."""
        extent = Extent("axis", array, axis)
        for item in values(meaning or frozenset({UNKNOWN})):
            if item.kind == "index" and item.extent and item.scale == 1:
                self.same.append((item.extent, extent))
                self.margins[extent] = max(self.margins.get(extent, 0), item.offset)
            elif item.kind == "index":
                self.scaled.setdefault(extent, []).append(item)
            elif item.kind == "count" and item.extent and item.offset < 0:
                self.same.append((item.extent, extent))
                self.bounds.add(item.extent)
            elif item.kind == "count" and item.extent and item.extent.kind == "parameter" and not item.offset:
                self.indexes.setdefault(item.extent.name, []).append(extent)
            elif item.kind == "loaded" and item.extent and item.offset <= 0:
                self.holds_indices.setdefault((item.extent.name, item.path), []).append(extent)
                self.loops |= {extent} if item.looped else set()
            elif item.kind == "constant":
                self.minimum[extent] = max(self.minimum.get(extent, 1), item.offset + 1)
            elif (limit := upper(item)) is not None:
                self.spans.setdefault(extent, []).append(limit)
            else:
                self.unknown.setdefault(array, where)

    def scatter(self, array: str, meaning: Meaning) -> None:
        """Note that elements of other arrays say where in an array something is stored."""
        for item in values(meaning):
            if item.looped:
                continue
            direct = item.kind == "loaded" and not item.offset and not item.path
            if direct and item.extent and item.extent.name != array:
                self.scattered[item.extent.name] = None
            elif item.kind in ("loaded", "span") and (limit := upper(item)) is not None:
                self.reached[limit] = None

    def bracket(self, start: Meaning, end: Meaning) -> None:
        """Note that elements of one array begin and end something."""
        arrays = [
            {one.extent.name for one in values(side) if one.extent and _is_element(one)}
            for side in (start, end)
        ]
        self.segments |= dict.fromkeys(sorted(arrays[0] & arrays[1]))

    def picked(self, length: int, meaning: Meaning) -> None:
        """Note that one of `length` components is picked with these values."""
        for item in values(meaning):
            if item.extent is None:
                continue
            if item.kind == "index" and item.scale == 1 and item.offset < length:
                self._at_most(item.extent, length - item.offset)
            elif item.kind == "loaded" and 0 <= item.offset < length:
                source = (item.extent.name, item.path)
                self.holds_indices.setdefault(source, []).append(Extent("literal", str(length - item.offset)))
                self._at_most(values_extent(*source), length - item.offset)
            elif item.kind == "count" and item.extent.kind == "parameter" and not item.offset:
                self.indexes.setdefault(item.extent.name, []).append(Extent("literal", str(length)))

    def _at_most(self, extent: Extent, number: int) -> None:
        self.most[extent] = min(self.most.get(extent, number), number)

    def relate(self, meanings: Sequence[Meaning]) -> None:
        """Note that an index is compared with, or clamped to, a count: it ranges over that many."""
        known = [item for meaning in meanings for item in values(meaning)]
        for index in (item for item in known if item.kind == "index" and item.scale == 1):
            for count in (item for item in known if item.kind == "count"):
                if index.extent and count.extent:
                    self.same.append((index.extent, count.extent))
                    self.bounds.add(count.extent)

    def note_constants(self, sides: Sequence[Meaning]) -> None:
        """Note which numbers parameters and elements are compared with."""
        items = [item for meaning in sides for item in values(meaning)]
        constants = {item.offset for item in items if item.kind == "constant"}
        for name in filter(None, map(origin, items)):
            self.compared.setdefault(name, set()).update(constants)

    def below(self, meaning: Meaning) -> Meaning:
        """Indices from 0 up to a count."""
        result = set()
        for item in values(meaning):
            if item.kind == "count" and item.extent:
                self.bounds.add(item.extent)
                result.add(Value("index", item.extent, offset=max(item.offset, 0)))
            elif item.kind == "constant":
                result.add(Value("index", Extent("literal", str(max(item.offset, 1)))))
            elif item.kind == "index":
                result.add(item)
            elif item.kind == "loaded" and item.extent and item.offset <= 0:
                result.add(dataclasses.replace(item, looped=True))
            else:
                result.add(combined(ast.Sub(), item, Value("constant", offset=1)))
        return frozenset(result or {UNKNOWN})

    def combine(self, operator: ast.operator, left: Meaning, right: Meaning) -> Meaning:
        pairs = list(itertools.product(values(left), values(right)))
        if len(pairs) > MAX_MEANINGS:
            return frozenset({UNKNOWN})
        if isinstance(operator, ast.Sub):
            self.bracket(right, left)
        for row, along in pairs if isinstance(operator, ast.Add) else ():
            if row.row and along.kind == "index" and along.extent and along.scale == 1:
                self.rows.append((row.row, along.extent))
        return frozenset(combined(operator, a, b) for a, b in pairs)


def _is_element(value: Value) -> bool:
    return value.kind == "loaded" and not value.path and not value.looped


def origin(item: Value) -> str | None:
    """The parameter, or `array:member`, that a value stands for as it is."""
    if item.extent is None or item.offset:
        return None
    if item.kind == "loaded":
        return f"{item.extent.name}:{item.path}"
    return item.extent.name if item.kind == "count" and item.extent.kind == "parameter" else None
