"""Analysis: which array parameters a function writes, and which it updates atomically."""

from __future__ import annotations

import dataclasses

from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Call,
    Component,
    Declare,
    Element,
    Expression,
    Function,
    Member,
    Name,
    Native,
)
from weft.types import Array


@dataclasses.dataclass(frozen=True)
class Access:
    """Names of array parameters that are stored to, and of those that atomics update."""

    stored: frozenset[str]
    updated: frozenset[str]

    @property
    def written(self) -> frozenset[str]:
        return self.stored | self.updated


def accesses(function: Function, known: dict[str, tuple[Function, Access]]) -> Access:
    """How the function uses its arrays; `known` has the functions that it calls."""
    views: dict[str, str] = {}
    stored: set[str] = set()
    updated: set[str] = set()

    def root(expression: Expression) -> str | None:
        match expression:
            case Element(array=array):
                return root(array)
            case Member(value=value) | Component(value=value):
                return root(value)
            case Call(function="component_ref" | "row", arguments=[value, *_]):
                return root(value)
            case Name(name=name):
                return views.get(name, name)
            case _:
                return None

    def in_array(expression: Expression) -> bool:
        match expression:
            case Element():
                return True
            case Member(value=value) | Component(value=value):
                return in_array(value)
            case Call(function="component_ref" | "row", arguments=[value, *_]):
                return in_array(value)
            case _:
                return False

    if any(isinstance(statement, Native) for statement in function.body):
        arrays = frozenset(name for name, kind in function.parameters if isinstance(kind, Array))
        return Access(arrays, arrays)
    for statement in statements(function.body):
        value = statement.value if isinstance(statement, Declare | Assign) else None
        if value is not None and isinstance(value.type, Array) and (name := root(value)):
            if isinstance(statement, Declare):
                target: str | None = statement.name
            else:
                target = root(statement.target) if isinstance(statement, Assign) else None
            if target:
                views[target] = name
        if isinstance(statement, Assign) and in_array(statement.target) and (name := root(statement.target)):
            stored.add(name)
    for expression in all_expressions(function.body):
        if (
            isinstance(expression, AddressOf)
            and in_array(expression.place)
            and (name := root(expression.place))
        ):
            updated.add(name)
        if isinstance(expression, Call) and expression.function == "set_row":
            place = expression.arguments[0]
            if in_array(place) and (name := root(place)):
                stored.add(name)
        if isinstance(expression, Call) and expression.user in known:
            callee, access = known[expression.user]
            for (parameter, _), argument in zip(callee.parameters, expression.arguments, strict=False):
                if isinstance(argument.type, Array) and (name := root(argument)):
                    if parameter in access.stored:
                        stored.add(name)
                    if parameter in access.updated:
                        updated.add(name)
    return Access(frozenset(stored), frozenset(updated))
