"""Sizes of everything that a launch description has to give a size, such that every index is valid."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weft.ir.index_facts import IndexFacts
from weft.ir.index_values import values_extent
from weft.ir.segments import JITTER, segment_lengths
from weft.ir.symbolic_bounds import Bound, Extent, add, as_size, atoms, bound, grouped, largest
from weft.sizes import Size, evaluate_size, evaluate_sizes
from weft.types import Array, Scalar, Type

CHECKED_SIZES = (1, 2, 31, 32, 257, 65_537)
"""The base sizes for which a description has to make sense."""

LOOP_TRIPS = 17
FEW_TRIPS = 5
"""As LOOP_TRIPS, where more than three sizes are multiplied."""
_MINUS_ONE = bound({(): -1})
TILE_DIMS = 64
"""Kernels with tiles have so many blocks fewer than others have threads."""

_DIMS: dict[int, tuple[dict[str, str], list[str]]] = {
    1: ({}, ["n"]),
    2: ({"rows": "7", "columns": "(n + 6) // 7"}, ["rows", "columns"]),
    3: ({"layers": "3", "rows": "5", "columns": "(n + 14) // 15"}, ["layers", "rows", "columns"]),
    4: (
        {"blocks": "2", "layers": "3", "rows": "5", "columns": "(n + 29) // 30"},
        ["blocks", "layers", "rows", "columns"],
    ),
}
"""Sizes and launch dimensions by rank, where nothing says better ones: about n threads."""


def spread(rank: int) -> list[Size]:
    """Launch dimensions, or an array's shape, of about n elements, without named sizes."""
    sizes, dims = _DIMS[rank]
    return [sizes.get(dim, dim) for dim in dims]


class LaunchPlan:
    """Sizes for every extent: those that must agree share one."""

    def __init__(
        self,
        facts: IndexFacts,
        described: Mapping[str, Any],
        parameters: Mapping[str, Any],
        types: Mapping[str, Type],
    ) -> None:
        """`types` are those of the leaves; every size in `described` and `parameters` stays."""
        self.facts = facts
        arrays = {name: declared for name, declared in types.items() if isinstance(declared, Array)}
        lists = {name for name, one in arrays.items() if one.ndim == 1 and _is_integer(one.element)}
        self.segments = segment_lengths(facts, lists)
        self.permuted = [name for name in facts.scattered if name in lists and name not in self.segments]
        self.measuring: set[str] = set()
        self.ranks = {name: declared.ndim for name, declared in arrays.items()}
        self.groups = _groups(facts.same)
        free = [pair for pair in facts.rows if pair[0] not in self.groups and pair[0] not in facts.bounds]
        self.groups = _groups([*facts.same, *free])
        self.spans = self._all_spans()
        degrees = _degrees(self.spans)
        self.spanned = {extent for extent, _ in degrees}
        self.spanned |= {one.extent for scaled in facts.scaled.values() for one in scaled if one.extent}
        self.small = {extent for extent, degree in degrees if degree > 1} | _in_several_axes(self.spans)
        self.cubed = {extent for extent, degree in degrees if degree > 2}
        self.multiplied = {extent for extent, degree in degrees if degree > 3}
        self.sizes: dict[str, Size] = dict(described.get("sizes", {}))
        self.fixed: dict[Extent, Size] = {}
        for name, parameter in parameters.items():
            for axis, size in enumerate(parameter.get("shape", ())):
                self.fixed[Extent("axis", name, axis)] = size
            if "size" in (parameter.get("values") or {}):
                self.fixed[Extent("parameter", name)] = parameter["values"]["size"]
        self.dims: list[Size] = list(described.get("dims") or self._default_dims(facts.rank))
        for axis, dim in enumerate(self.dims):
            self.fixed.setdefault(Extent("tid", "", axis), dim)
        self.named: dict[Extent, Size] = {}

    def _all_spans(self) -> dict[Extent, list[Bound]]:
        """Spans of each axis; elements used as they are count where others do arithmetic first."""
        spans = {extent: list(limits) for extent, limits in self.facts.spans.items()}
        used = {extent for extent, _ in _degrees(spans)}
        used |= {values_extent(array, "") for array in self.segments}
        for (array, path), axes in self.facts.holds_indices.items():
            values = values_extent(array, path)
            for axis in axes if values in used else ():
                spans.setdefault(axis, []).append(bound({(values,): 1, (): -1}))
        return spans

    def _default_dims(self, rank: int) -> list[Size]:
        if not self.facts.uses_tid:
            return ["1"]
        launch = [Extent("tid", "", axis) for axis in range(rank)]
        looped = [any(self.together(dim, loop) for loop in self.facts.loops) for dim in launch]
        along = self._axes_along(launch[0])
        if rank == 1 and (along > 2 or self._products(launch[0]) & self.cubed):
            return ["min(n, 40)"]
        if rank == 1 and (along > 1 or looped[0] or self._products(launch[0]) & self.small):
            return ["min(n, 300)"]
        square = any(self.together(one, other) for one, other in itertools.combinations(launch, 2))
        literal = [self._literal(extent) for extent in launch]
        if rank > 1 and (square or any(looped)):
            most = 20 if rank < 4 else 8
            return [f"min(n, {min(number or most, most)})" for number in literal]
        if self.facts.uses_tiles:
            return [*("2" for _ in range(rank - 1)), f"(n + {TILE_DIMS - 1}) // {TILE_DIMS}"]
        picking = [self._most(extent) for extent in launch]
        sizes, dims = _DIMS[max(1, picking.count(None))]
        self.sizes |= sizes
        free = iter(dims)
        if rank == 1 and picking[0]:
            return [f"min(n, {picking[0]})"]
        return [str(most) if most else next(free) for most in picking]

    def _most(self, extent: Extent) -> int | None:
        """What an extent must not exceed, for components of a vector are picked with it."""
        most = [self.facts.most[member] for member in self.group(extent) if member in self.facts.most]
        return min(most, default=None)

    def _products(self, thread: Extent) -> frozenset[Extent]:
        """What must agree with a launch dimension; the dimension in a product with others is no square."""
        return frozenset(member for member in self.group(thread) if member.kind != "tid")

    def _axes_along(self, thread: Extent) -> int:
        """The most axes of one array that are as long as a launch dimension."""
        axes = Counter(member.name for member in self.group(thread) if member.kind == "axis")
        return max(axes.values(), default=0)

    def _literal(self, extent: Extent) -> int | None:
        """The smallest number that an extent must agree with."""
        numbers = [int(member.name) for member in self.group(extent) if member.kind == "literal"]
        return min(numbers, default=None)

    def group(self, extent: Extent) -> frozenset[Extent]:
        return self.groups.get(extent, frozenset({extent}))

    def together(self, one: Extent, other: Extent) -> bool:
        return other in self.group(one)

    def is_used(self, extent: Extent) -> bool:
        """Whether anything says how large an extent is."""
        return extent in self.groups or extent in self.facts.bounds or extent in self.spanned

    def size(self, extent: Extent) -> Size:
        """The size of an extent, from its group: described, a launch dimension, a literal, or a new size."""
        group = sorted(self.group(extent), key=lambda e: (e.kind, e.name, e.axis))
        for member in group:
            if member in self.fixed:
                return self.fixed[member]
            if member.kind == "values" and (reach := self._reach(member.name.removesuffix(":"))):
                return reach
        literals = [int(member.name) for member in group if member.kind == "literal"]
        if literals:
            return max(literals)
        if any(member.kind == "slots" for member in group):
            return " * ".join(grouped(dim) for dim in self.dims)
        if group[0] not in self.named:
            most = self._most(extent)
            if most is None and not any(self._stays_small(member) for member in group):
                self.named[group[0]] = "n"
            else:
                trips = FEW_TRIPS if self.multiplied.intersection(group) else LOOP_TRIPS
                self.named[group[0]] = self._name(group, str(min(trips, most or trips)))
        return self.named[group[0]]

    def _name(self, group: Sequence[Extent], size: str) -> str:
        """A new named size."""
        name = _size_name(group)
        while name == "n" or name in self.sizes:
            name = f"{name}_count"
        self.sizes[name] = size
        return name

    def _stays_small(self, extent: Extent) -> bool:
        """Whether a size has to be a small number: of a loop, in a product, or beside other axes."""
        several = extent.kind == "axis" and self.ranks.get(extent.name, 1) > 1
        return several or extent in self.facts.loops or extent in self.small

    def axis_size(self, extent: Extent) -> Size:
        """How long an axis of an array must be for every index that the kernel uses."""
        facts = self.facts
        if extent in self.fixed:
            return self.fixed[extent]
        spans = [as_size(one, self.size) for one in largest(self.spans.get(extent, []))]
        limits = list(dict.fromkeys([*spans, *self._scattered(extent)]))
        if extent in facts.minimum:
            limits.append(facts.minimum[extent])
        if extent in self.groups or extent in facts.scaled or not limits:
            limits.insert(0, self._with_margins(extent))
        return _largest(limits)

    def room_for_threads(self, shape: Sequence[Size]) -> list[Size]:
        """A shape with an index for each thread along each axis, or along the only one."""
        together = " * ".join(grouped(dim) for dim in self.dims)
        threads = [together] if len(shape) == 1 else self.dims
        return [_largest([size, *threads[axis : axis + 1]]) for axis, size in enumerate(shape)]

    def _with_margins(self, extent: Extent) -> Size:
        size: Size = self.size(extent)
        margin = self.facts.margins.get(extent, 0)
        if margin > 0:
            size = size + margin if isinstance(size, int) else f"{grouped(size)} + {margin}"
        for value in self.facts.scaled.get(extent, ()):
            assert value.extent is not None
            scaled = f"{value.scale} * {grouped(self.size(value.extent))}"
            excess = value.offset - value.scale + 1
            size = f"{scaled} + {excess}" if excess > 0 else scaled
        return size

    def smallest(self, extents: Iterable[Extent]) -> Size:
        """A size that is no larger than any of these axes."""
        sizes = list(dict.fromkeys(self.axis_size(extent) for extent in extents))
        result = sizes[0]
        for size in sizes[1:]:
            result = f"min({result}, {size})"
        return result

    def offsets(self, array: str) -> tuple[Size, int] | None:
        """How far apart segments begin whose beginnings an array holds, and how many numbers each may be."""
        if array not in self.segments:
            return None
        apart = [as_size(add(one, _MINUS_ONE), self.size) for one in largest(self.segments[array])]
        return _largest(apart), JITTER

    def _reach(self, array: str) -> Size | None:
        """What the offsets in an array stay below; None where that would follow from itself."""
        if array not in self.segments or array in self.measuring:
            return None
        self.measuring.add(array)
        offsets = self.offsets(array)
        assert offsets is not None
        reach = f"{grouped(offsets[0])} * {grouped(self.axis_size(Extent('axis', array, 0)))}"
        self.measuring.remove(array)
        extent = values_extent(array, "")
        self.fixed[extent] = self._name([extent], reach)
        return self.fixed[extent]

    def _scattered(self, extent: Extent) -> list[Size]:
        """Twice as many elements as there are indices of them that say where something is stored.

        Which of them are used must depend on the draw.
        """
        sizes = []
        for array in self.permuted:
            if extent in self.facts.holds_indices[array, ""] and array not in self.measuring:
                self.measuring.add(array)
                sizes.append(_doubled(self.axis_size(Extent("axis", array, 0))))
                self.measuring.remove(array)
        return sizes

    def permutation(self, array: str) -> Size | None:
        """How many indices there are that an array which says where something is stored permutes."""
        if array not in self.permuted:
            return None
        total = self.smallest(self.facts.holds_indices[array, ""])
        count = self.axis_size(Extent("axis", array, 0))
        enough = all(self._value(total, n) >= self._value(count, n) for n in CHECKED_SIZES)
        return total if enough else None

    def _value(self, size: Size, n: int) -> int:
        return evaluate_size(size, evaluate_sizes(self.sizes, n))

    def hands_out_slots(self, array: str) -> bool:
        """Whether what an atomic on this array returns is used as an index."""
        return self.is_used(Extent("slots", array))


def _is_integer(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.is_integer


def _size_name(group: Iterable[Extent]) -> str:
    """A name for a size, after the parameter or the array that it belongs to."""
    members = sorted(group, key=lambda e: (e.kind != "parameter", e.kind, e.name, e.axis))
    owner = members[0]
    if owner.kind == "parameter":
        name = owner.name
    elif owner.kind == "values":
        name = f"{owner.name.rstrip(':')}_values"
    else:
        name = f"{owner.name}_{owner.axis}"
    return name.replace(".", "_").replace(":", "_")


def _doubled(size: Size) -> Size:
    factor, _, rest = str(size).partition(" * ")
    if factor.isdigit() and rest and grouped(rest) == rest:
        return f"{2 * int(factor)} * {rest}"
    return f"2 * {grouped(size)}"


def _degrees(spans: Mapping[Extent, Iterable[Bound]]) -> set[tuple[Extent, int]]:
    """The extents that spans are made of, with the degrees of their monomials."""
    return {atom for limits in spans.values() for one in limits for atom in atoms(one)}


def _in_several_axes(spans: Mapping[Extent, Iterable[Bound]]) -> set[Extent]:
    """The parameters that several axes of one array depend on, such as a margin on every side of a grid."""
    axes: Counter[tuple[Extent, str]] = Counter()
    for axis, limits in spans.items():
        axes.update(
            {(atom, axis.name) for one in limits for atom, _ in atoms(one) if atom.kind == "parameter"}
        )
    return {atom for (atom, _), count in axes.items() if count > 1}


def _largest(sizes: Iterable[Size]) -> Size:
    """A size that is as large as each of these."""
    ordered = list(dict.fromkeys(sizes))
    ordered = [one for one in ordered if f"2 * {grouped(one)}" not in ordered]
    numbers = [int(size) for size in ordered if isinstance(size, int) or size.isdigit()]
    others: list[Size] = [size for size in ordered if not isinstance(size, int) and not size.isdigit()]
    if numbers:
        others.append(max(numbers))
    result = others[0]
    for size in others[1:]:
        result = f"max({result}, {size})"
    return result


def _groups(pairs: Iterable[tuple[Extent, Extent]]) -> dict[Extent, frozenset[Extent]]:
    """Extents that must agree, by extent."""
    groups: dict[Extent, frozenset[Extent]] = {}
    for one, other in pairs:
        merged = groups.get(one, frozenset({one})) | groups.get(other, frozenset({other}))
        for member in merged:
            groups[member] = merged
    return groups
