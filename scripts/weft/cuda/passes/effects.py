"""Analysis: what the side effects in an expression change, and what an expression reads."""

from __future__ import annotations

import dataclasses

from weft.cuda.contents import root_name
from weft.cuda.traverse import children, statements, walk
from weft.cuda.tree import AddressOf, Assign, Call, Element, Expression, Member, Name, Statement
from weft.intrinsics import Effect
from weft.types import Array, Struct


@dataclasses.dataclass(frozen=True)
class Changes:
    """Names of variables and arrays that change; `memory`: any array may."""

    names: frozenset[str] = frozenset()
    memory: bool = False

    def joined(self, other: Changes) -> Changes:
        return Changes(self.names | other.names, self.memory or other.memory)


def has_effect(expression: Expression) -> bool:
    """Whether evaluating the expression does more than give a value."""
    return any(isinstance(part, Call) and bool(part.effect) for part in walk(expression))


def views_of(body: list[Statement]) -> dict[str, str]:
    """The array behind each name of a view."""
    views: dict[str, str] = {}
    for statement in statements(body):
        if isinstance(statement, Assign) and isinstance(statement.target, Name):
            value = statement.value
            if isinstance(value.type, Array) and (root := array_name(value, views)) is not None:
                views[statement.target.name] = root
    return views


def array_name(place: Expression, views: dict[str, str]) -> str | None:
    """The array that a place lies in, or the variable that it is a part of."""
    while not isinstance(place, Name):
        parts = children(place)
        if not parts:
            return None
        place = parts[0]
    return views.get(place.name, place.name)


def changes_of(expression: Expression, views: dict[str, str]) -> Changes:
    """What the calls in an expression change."""
    names: set[str] = set()
    memory = False
    for part in walk(expression):
        if not isinstance(part, Call) or not part.effect:
            continue
        if part.effect & Effect.RANDOM:
            root = root_name(part.arguments[0])
            names |= {root} if root else set()
        memory = memory or part.user is not None
        for argument in part.arguments:
            if isinstance(argument, AddressOf) and (name := array_name(argument.place, views)) is not None:
                names.add(name)
    return Changes(frozenset(names), memory)


def bare(expression: Expression) -> bool:
    """Whether Warp reads the place that an expression names only when an operation needs its value."""
    match expression:
        case Name() | Element() | AddressOf():
            return True
        case Member(value=value):
            return isinstance(value.type, Struct) and bare(value)
        case _:
            return False


def conflicts(
    changes: Changes, expression: Expression, views: dict[str, str], any_read: bool = False
) -> bool:
    """Whether the expression reads, before the changes, something that they change.

    A bare place is read after them, but for its indices; with `any_read` it counts, too.
    """
    if not changes.names and not changes.memory:
        return False
    if bare(expression) and not any_read:
        return any(conflicts(changes, part, views, True) for part in _indices(expression))
    return any(_is_changed(part, changes, views) for part in walk(expression))


def _indices(place: Expression) -> list[Expression]:
    match place:
        case Element(array=array, indices=indices):
            return [*_indices(array), *indices]
        case Member(value=value) | AddressOf(place=value):
            return _indices(value)
        case _:
            return []


def _is_changed(part: Expression, changes: Changes, views: dict[str, str]) -> bool:
    match part:
        case Name(name=name):
            return views.get(name, name) in changes.names
        case Element():
            return changes.memory
        case Call(user=str(), arguments=arguments):
            return changes.memory and any(isinstance(argument.type, Array) for argument in arguments)
        case _:
            return False
