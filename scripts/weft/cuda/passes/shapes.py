"""Extents and strides of array values: of parameters, views, fields of structs, and variables."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from weft.cuda.analysis.linear import key_of
from weft.cuda.contents import Contents, root_name
from weft.cuda.fresh_names import fresh
from weft.cuda.passes.extent_parameters import ExtentParameters, extent_name
from weft.cuda.passes.offsets import plus, times
from weft.cuda.passes.points_to import PointsTo, Slot, field_slot
from weft.cuda.traverse import clone, walk
from weft.cuda.tree import (
    INT,
    Assign,
    Call,
    Conditional,
    Declare,
    Element,
    Expression,
    Literal,
    LocalArray,
    Member,
    Name,
    Reshaped,
    Slice,
    Statement,
    Unary,
    Unpack,
)
from weft.types import Array, Struct, Structs

Quantity = tuple[bool, int]
"""A stride (True) or an extent (False), and of which axis."""


class ViewError(Exception):
    """A view of an array is used in a way that has no pointer form."""

    def __init__(
        self, message: str = "this use of a view of an array is not supported: index the array itself"
    ) -> None:
        super().__init__(message)


@dataclasses.dataclass
class Needs:
    """The extents and strides that variables and fields have to keep. `grown` if a new one was asked for."""

    slots: dict[Slot, set[Quantity]] = dataclasses.field(default_factory=dict)
    grown: bool = False

    def add(self, slot: Slot, quantity: Quantity) -> None:
        known = self.slots.setdefault(slot, set())
        if quantity not in known:
            known.add(quantity)
            self.grown = True

    def of(self, slot: Slot) -> list[Quantity]:
        """In the order in which they are stored: extents, then strides."""
        return sorted(self.slots.get(slot, ()))


class Shapes:
    """Shapes in one function. `lower` is the rest of the pass, for what shapes are computed from."""

    def __init__(
        self,
        contents: Contents,
        parameters: ExtentParameters,
        points_to: PointsTo,
        structs: Structs,
        needs: Needs,
        lower: Callable[[Expression], Expression],
    ) -> None:
        self.function = contents.function
        self.parameters = parameters
        self.points_to = points_to
        self.structs = structs
        self.needs = needs
        self.lower = lower
        self.changed = contents.changed
        self.arrays = {name for name, kind in self.function.parameters if isinstance(kind, Array)}
        self.aliases: dict[str, Expression] = {}
        self.ranks: dict[str, int] = {}
        self.shadows: dict[tuple[str, Quantity], str] = {}
        self._find_variables(contents.statements)

    def _find_variables(self, found: list[Statement]) -> None:
        """Variables that stand for one view all their life, and ranks of the others."""
        assigned: set[str] = set()
        for statement in found:
            match statement:
                case Assign(target=Name(name=name, type=Array(ndim=rank))):
                    assigned.add(name)
                    self.ranks[name] = rank
                case Declare(name=name, type=Array(ndim=rank)):
                    self.ranks[name] = rank
                case Unpack(names=names, types=types):
                    assigned |= set(names)
                    self.ranks |= {
                        n: t.ndim for n, t in zip(names, types, strict=True) if isinstance(t, Array)
                    }
        self.arrays -= assigned
        declared: set[str] = set()
        for statement in found:
            if isinstance(statement, Declare) and isinstance(statement.type, Array):
                value = statement.value
                fresh = statement.name not in assigned | declared
                if fresh and value is not None and self._is_fixed(value):
                    self.aliases[statement.name] = clone(value)
                elif statement.name in self.aliases:
                    del self.aliases[statement.name]
                declared.add(statement.name)

    def _is_fixed(self, value: Expression) -> bool:
        """Whether the shape of a value can be asked for at any time, the lengths of slices aside."""
        match value:
            case Name(name=name):
                return name in self.arrays or name in self.aliases
            case LocalArray():
                return True
            case Reshaped(shape=shape):
                return all(isinstance(extent, Literal) for extent in shape)
            case Element(array=array):
                return self._is_fixed(array)
            case Member(value=inner):
                while isinstance(inner, Member):
                    inner = inner.value
                return isinstance(inner, Name) and inner.name not in self.changed
            case _:
                return False

    def keeps(self, name: str) -> list[Quantity]:
        """What a variable's shape needs beside it: for one that stands for a view all its life, no more than
        the lengths of slices.
        """
        return self.needs.of((self.function.key, name))

    def shadow(self, name: str, quantity: Quantity) -> str:
        """The variable that keeps an extent or stride of a variable."""
        if (name, quantity) not in self.shadows:
            stride, axis = quantity
            wanted = extent_name(name, self.ranks[name], axis, stride)
            self.shadows[name, quantity] = self.parameters.free(wanted)
        return self.shadows[name, quantity]

    def stride(self, array: Expression, axis: int) -> Expression:
        """The distance between neighbours along an axis, in elements."""
        assert isinstance(array.type, Array)
        if self.points_to.is_strided(array, self.function.key):
            return self._quantity(array, (True, axis))
        product: Expression = Literal(INT, 1)
        for inner in range(axis + 1, array.type.ndim):
            product = times(product, self.extent(array, inner))
        return product

    def extent(self, array: Expression, axis: int) -> Expression:
        """The number of elements along an axis."""
        return self._quantity(array, (False, axis))

    def _quantity(self, array: Expression, quantity: Quantity) -> Expression:
        stride, axis = quantity
        match array:
            case Name(name=name) if name in self.aliases:
                alias = self.aliases[name]
                if not stride and not self._is_lasting(alias, axis):
                    self.needs.add((self.function.key, name), quantity)
                    return Name(INT, self.shadow(name, quantity))
                return self.stride(alias, axis) if stride else self.extent(alias, axis)
            case Name(name=name) if name in self.arrays:
                return self.parameters.of_array(name, axis, stride)
            case Name(name=name) if name in self.ranks and name not in dict(self.function.parameters):
                self.needs.add((self.function.key, name), quantity)
                return Name(INT, self.shadow(name, quantity))
            case Member(value=value, path=path) if isinstance(value.type, Struct):
                field = path.removeprefix(".")
                self.needs.add(field_slot(value.type.name, field), quantity)
                member = member_name(self.structs, value.type.name, field, quantity)
                if root_name(value) is None:
                    raise ViewError
                return Member(INT, self._again(value), f".{member}")
            case LocalArray(shape=shape):
                return Literal(INT, shape[axis])
            case Reshaped(shape=extents) if not stride:
                return self._again(extents[axis])
            case Reshaped(shape=extents):
                product: Expression = Literal(INT, 1)
                for extent in extents[axis + 1 :]:
                    product = times(product, self._again(extent))
                return product
            case Element(array=base, indices=indices):
                return self._of_view(base, indices, quantity)
            case Conditional(test=test, then=then, otherwise=otherwise):
                one, other = (
                    self.stride(branch, axis) if stride else self.extent(branch, axis)
                    for branch in (then, otherwise)
                )
                if key_of(one) == key_of(other):
                    return one
                return Conditional(INT, self._again(test), one, other)
            case _:
                raise ViewError

    def _again(self, expression: Expression) -> Expression:
        """A part of an array value that its shape is computed from, too. Refuses side effects."""
        if any(isinstance(part, Call) and part.effect for part in walk(expression)):
            raise ViewError("give the value of this call a name first: the shape of a view depends on it")
        return self.lower(clone(expression))

    def _is_lasting(self, view: Expression, axis: int) -> bool:
        """Whether an extent of a view can be asked for at any time: it is no slice's length, or a number."""
        if not isinstance(view, Element):
            return True
        place, index = _axis_of(view.array, view.indices, axis)
        if index is None or index.turns_all:
            return self._is_lasting(view.array, place)
        return isinstance(self.extent(view, axis), Literal)

    def _of_view(self, base: Expression, indices: list[Expression], quantity: Quantity) -> Expression:
        stride, axis = quantity
        place, index = _axis_of(base, indices, axis)
        if index is None:
            return self.stride(base, place) if stride else self.extent(base, place)
        if stride:
            return times(self.stride(base, place), self._again(index.step))
        if index.count:
            return self._again(index.count[0])
        return self._slice_length(index, self.extent(base, place))

    def _slice_length(self, index: Slice, count: Expression) -> Expression:
        if index.turns_all:
            return count
        step = _number(index.step)
        start, stop = self.slice_start(index, count), self._slice_stop(index, count)
        first, last = _number(start), _number(stop)
        if first is not None and last is not None and step is not None:
            return Literal(INT, len(range(first, last, step)))
        if step == 1 and first == 0:
            return stop
        return Call(INT, "slice_length", [start, stop, self._again(index.step)], ("slice_length", ()))

    def slice_start(self, index: Slice, count: Expression) -> Expression:
        """The first index of a slice along an axis of `count` elements."""
        if index.start:
            return _bound(self._again(index.start[0]), count)
        return _by_direction(index.step, Literal(INT, 0), _minus_one(count))

    def _slice_stop(self, index: Slice, count: Expression) -> Expression:
        if index.stop:
            return _bound(self._again(index.stop[0]), count)
        return _by_direction(index.step, count, Literal(INT, -1))


def _axis_of(base: Expression, indices: list[Expression], axis: int) -> tuple[int, Slice | None]:
    """The axis of `base` that axis `axis` of its view is, and the slice along it."""
    assert isinstance(base.type, Array)
    kept = [i for i in range(base.type.ndim) if i >= len(indices) or isinstance(indices[i], Slice)]
    place = kept[axis]
    index = indices[place] if place < len(indices) else None
    return place, index if isinstance(index, Slice) else None


def _bound(bound: Expression, count: Expression) -> Expression:
    """Where a slice of `count` elements begins or ends."""
    number, size = _number(bound), _number(count)
    if number == 0:
        return bound
    if number is not None and size is not None:
        number = min(max(number, -size), size)
        return Literal(INT, number + size if number < 0 else number)
    if number is not None and number > 0:
        return Call(INT, "min", [bound, count])
    return Call(INT, "slice_bound", [bound, count], ("slice_bound", ()))


def _number(expression: Expression) -> int | None:
    """The value of an integer that is known."""
    match expression:
        case Literal(value=int(value)):
            return value
        case Unary(operator="-", operand=Literal(value=int(value))):
            return -value
        case _:
            return None


def _by_direction(step: Expression, rising: Expression, falling: Expression) -> Expression:
    if isinstance(step, Literal) and isinstance(step.value, int):
        return rising if step.value > 0 else falling
    raise ViewError


def _minus_one(count: Expression) -> Expression:
    return plus(count, Literal(INT, -1))


def member_name(structs: Structs, struct: str, field: str, quantity: Quantity) -> str:
    """The member that keeps an extent or stride of a struct's array."""
    fields = dict(structs[struct])
    kind = fields[field]
    assert isinstance(kind, Array)
    stride, axis = quantity
    return fresh(extent_name(field, kind.ndim, axis, stride), fields)
