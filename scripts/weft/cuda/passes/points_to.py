"""Points-to analysis: which arrays each slot may hold, and what follows from it.

A *slot* is a place that holds an array: a variable or parameter of a function, a field of a struct, a
result of a function. Arrays flow from slot to slot by assignments, calls, struct constructors and returns. A
store through a slot is a store to every array that may be in it; an array that is strided, or may have more
elements than an int counts, makes every slot so that it may get to.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence

from weft.cuda.contents import contents
from weft.cuda.launch_assumptions import has_int_offsets, is_counted, is_strided, may_be_wide
from weft.cuda.traverse import LEAVES, all_expressions
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Call,
    Component,
    Conditional,
    Construct,
    Declare,
    Element,
    Expression,
    Extent,
    Function,
    Member,
    Name,
    Native,
    Reshaped,
    Result,
    Return,
    Statement,
    Unpack,
)
from weft.cuda.views import gaps
from weft.launch import Launch
from weft.leaves import leaves
from weft.types import Array, Struct, Structs, Type

Slot = tuple[str, str]
"""(key of the function, name of its variable), or ('', 'Struct.field'); a result is called `return0`."""


@dataclasses.dataclass(frozen=True)
class Access:
    """Names of a function's array parameters that are stored to, and of those that atomics update."""

    stored: frozenset[str]
    updated: frozenset[str]

    @property
    def written(self) -> frozenset[str]:
        return self.stored | self.updated


class PointsTo:
    """What the slots of one record may point to; the kernel is the last of `functions`."""

    def __init__(self, functions: list[Function], structs: Structs, launch: Launch) -> None:
        self.functions = {function.key: function for function in functions}
        self.structs = structs
        self.launch = launch
        self.kernel = functions[-1]
        self.sources: dict[Slot, dict[Slot, None]] = {}
        self.stored: set[Slot] = set()
        self.updated: set[Slot] = set()
        self.strided: set[Slot] = set()
        self.wide: set[Slot] = set()
        for function in functions:
            self._collect(function)
        self.leaf_slots = list(self._leaf_slots())
        self._describe_leaves()
        for written in (self.stored, self.updated):
            self._spread(written, lambda slot: self.sources.get(slot, {}))
        targets: dict[Slot, dict[Slot, None]] = {}
        for target, origins in self.sources.items():
            for origin in origins:
                targets.setdefault(origin, {})[target] = None
        for property in (self.strided, self.wide):
            self._spread(property, lambda slot: targets.get(slot, {}))

    @property
    def written(self) -> set[Slot]:
        """Slots through which something is written."""
        return self.stored | self.updated

    def access(self, function: Function) -> Access:
        """How a function uses its parameters."""
        names = [name for name, _ in function.parameters]
        stored = frozenset(name for name in names if (function.key, name) in self.stored)
        return Access(stored, frozenset(name for name in names if (function.key, name) in self.updated))

    def written_leaves(self) -> set[str]:
        """The kernel's leaves (weft.leaves) that it writes."""
        written = self.written
        return {leaf for leaf, slot in self.leaf_slots if slot in written}

    def field_is_written(self, struct: str, field: str) -> bool:
        """Whether something is written through the array of a struct's field."""
        return field_slot(struct, field) in self.written

    def leaves_function(self, slot: Slot) -> bool:
        """Whether the array of a variable gets into a result or a struct."""
        reached = {slot}
        self._spread(reached, lambda one: [to for to, origins in self.sources.items() if one in origins])
        return any(not key or (key == slot[0] and name.startswith("return")) for key, name in reached)

    def is_strided(self, array: Expression, key: str) -> bool:
        """Whether the elements of an array value in a function may not lie row after row."""
        return gaps(array) or any(slot in self.strided for slot in self.roots(array, key))

    def is_wide(self, array: Expression, key: str) -> bool:
        """Whether an array value may have more elements than an int can count."""
        return any(slot in self.wide for slot in self.roots(array, key))

    def roots(self, expression: Expression, key: str) -> list[Slot]:
        """The slots whose arrays a value, or a place in memory, may belong to."""
        match expression:
            case Name(name=name):
                return [(key, name)]
            case Element(array=array) | Reshaped(array=array):
                return self.roots(array, key)
            case Member(value=value, path=path, type=Array()) if isinstance(value.type, Struct):
                return [field_slot(value.type.name, path.removeprefix("."))]
            case Member(value=value) | Component(value=value):
                return self.roots(value, key)
            case Conditional(then=then, otherwise=otherwise):
                return [*self.roots(then, key), *self.roots(otherwise, key)]
            case Call(function="component_ref" | "row", arguments=[value, *_]):
                return self.roots(value, key)
            case Call(user=str(callee), type=Array()):
                return [(callee, "return0")]
            case Result(call=Call(user=str(callee)), index=index, type=Array()):
                return [(callee, f"return{index}")]
            case _:
                return []

    def _collect(self, function: Function) -> None:
        key = function.key
        if any(isinstance(statement, Native) for statement in function.body):
            # What the user's own C++ does is not known.
            self.updated.update((key, name) for name, kind in function.parameters if isinstance(kind, Array))
        found = contents(function)
        for statement in found.statements:
            for target, value in _flowing(statement, key):
                self._flow(target, value, key)
            if isinstance(statement, Assign):
                place = statement.target
                if isinstance(place, Member) and isinstance(place.type, Array):
                    self._flow(self.roots(place, key)[0], statement.value, key)
                elif in_array(place):
                    self.stored.update(self.roots(place, key))
            elif isinstance(statement, Unpack) and isinstance(statement.value, Call):
                for position, (name, kind) in enumerate(zip(statement.names, statement.types, strict=True)):
                    if isinstance(kind, Array):
                        origin = (statement.value.user or "", f"return{position}")
                        self.sources.setdefault((key, name), {})[origin] = None
        for expression in found.nodes:
            if expression.__class__ in LEAVES:
                continue
            match expression:
                case AddressOf(place=place, by_reference=by_reference) if in_array(place):
                    (self.stored if by_reference else self.updated).update(self.roots(place, key))
                case Call(helper=("set_row", _), arguments=[place, *_]) if in_array(place):
                    self.stored.update(self.roots(place, key))
                case Call(user=str(callee), arguments=arguments) if callee in self.functions:
                    parameters = self.functions[callee].parameters
                    for (name, kind), argument in zip(parameters, arguments, strict=False):
                        if isinstance(kind, Array):
                            self._flow((callee, name), argument, key)
                case Construct(type=Struct(name=struct), arguments=arguments):
                    for (field, kind), argument in zip(self.structs[struct], arguments, strict=False):
                        if isinstance(kind, Array):
                            self._flow(field_slot(struct, field), argument, key)

    def _flow(self, target: Slot, value: Expression, key: str) -> None:
        origins = self.sources.setdefault(target, {})
        for origin in self.roots(value, key):
            origins[origin] = None
        if gaps(value):
            self.strided.add(target)

    def _describe_leaves(self) -> None:
        asked = asked_extents([*self.functions.values()])
        for leaf, slot in self.leaf_slots:
            if is_strided(self.launch, leaf):
                self.strided.add(slot)
            is_product = has_int_offsets(self.launch, leaf)
            if may_be_wide(self.launch, leaf) or (is_product and not is_counted(self.launch, leaf, asked)):
                self.wide.add(slot)

    def _leaf_slots(self) -> Iterator[tuple[str, Slot]]:
        """The kernel's leaves that are arrays, with the slots that hold them."""
        fields = dict(_field_slots(self.kernel.parameters, self.structs))
        for leaf, kind in leaves(self.kernel.parameters, self.structs):
            if isinstance(kind, Array):
                yield leaf, fields.get(leaf, (self.kernel.key, leaf))

    @staticmethod
    def _spread(slots: set[Slot], neighbours: Callable[[Slot], Iterable[Slot]]) -> None:
        """Add everything that can be reached."""
        pending = list(slots)
        while pending:
            for slot in neighbours(pending.pop()):
                if slot not in slots:
                    slots.add(slot)
                    pending.append(slot)


def field_slot(struct: str, field: str) -> Slot:
    """The slot of a struct's field, in whichever value."""
    return ("", f"{struct}.{field}")


def in_array(place: Expression) -> bool:
    """Whether a place lies in an array's memory."""
    match place:
        case Element():
            return True
        case Member(value=value) | Component(value=value):
            return in_array(value)
        case Call(function="component_ref" | "row", arguments=[value, *_]):
            return in_array(value)
        case _:
            return False


def _flowing(statement: Statement, key: str) -> Iterator[tuple[Slot, Expression]]:
    """Array values that a statement puts into variables or returns."""
    match statement:
        case Declare(name=name, value=Expression(type=Array()) as value):
            yield (key, name), value
        case Assign(target=Name(name=name), value=Expression(type=Array()) as value):
            yield (key, name), value
        case Return(values=values):
            for position, value in enumerate(values):
                if isinstance(value.type, Array):
                    yield (key, f"return{position}"), value


def _field_slots(members: Iterable[tuple[str, Type]], structs: Structs) -> Iterator[tuple[str, Slot]]:
    """The slots of leaves that lie in structs."""
    for path, kind in members:
        if isinstance(kind, Struct):
            for field, inner in structs[kind.name]:
                if isinstance(inner, Array):
                    yield f"{path}.{field}", field_slot(kind.name, field)
                else:
                    yield from _field_slots([(f"{path}.{field}", inner)], structs)


def asked_extents(functions: Sequence[Function]) -> set[tuple[str, int]]:
    """The arrays and axes whose extents the kernel, the last of the functions, asks for."""
    asked: dict[str, set[tuple[str, int]]] = {}
    parameters = {function.key: [name for name, _ in function.parameters] for function in functions}
    for function in functions:
        found = asked[function.key] = set()
        for node in all_expressions(function.body):
            match node:
                case Extent(array=Name(name=name), axis=axis, stride=False):
                    found.add((name, axis))
                case Call(user=str(user), arguments=arguments):
                    given = dict(zip(parameters[user], arguments, strict=False))
                    passed = [(given[name], axis) for name, axis in asked.get(user, ()) if name in given]
                    found |= {(one.name, axis) for one, axis in passed if isinstance(one, Name)}
    kernel = functions[-1]
    return {one for one in asked[kernel.key] if one[0] in parameters[kernel.key]}
