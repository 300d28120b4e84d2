"""What a function consists of, and which names its statements and expressions change."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Sequence

from weft.cuda.traverse import all_expressions, names_of, nodes_of, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Call,
    Component,
    Declare,
    Expression,
    For,
    Function,
    Member,
    Name,
    Registers,
    Share,
    Shared,
    Statement,
    Table,
    Threads,
    Unpack,
)
from weft.intrinsics import Effect
from weft.types import Struct, Type

_Part = Member | Component


@dataclasses.dataclass(frozen=True)
class Contents:
    """All statements and expression nodes of a function, to be read before any of them is replaced."""

    function: Function
    statements: list[Statement]
    nodes: list[Expression]

    @functools.cached_property
    def types(self) -> list[Type]:
        """The types of the expressions, in the order in which they appear; few are there twice."""
        return list({id(node.type): node.type for node in self.nodes}.values())

    @property
    def mentioned(self) -> set[str]:
        """The names that expressions mention, to read them or to store there."""
        return names_of(self.nodes)

    @property
    def mentions(self) -> Counter[str]:
        """How often expressions mention each name."""
        return Counter(node.name for node in self.nodes if isinstance(node, Name))

    @property
    def assigned(self) -> set[str]:
        """Names that are given a value, loop variables included."""
        return _assigned_in(self.statements, self.nodes)

    @property
    def changed(self) -> set[str]:
        """Names that are changed, wholly or in part; loop variables excepted."""
        return changed_in(self.statements, self.nodes)

    @property
    def taken(self) -> set[str]:
        """All names of the function."""
        return self.assigned | self.mentioned | {name for name, _ in self.function.parameters}


def contents(function: Function) -> Contents:
    """What a function consists of now."""
    found = statements(function.body)
    return Contents(function, found, nodes_of(found))


def mentioned_names(block: Sequence[Statement]) -> set[str]:
    """Names that expressions of the block mention."""
    return names_of(all_expressions(block))


def assigned_names(block: Sequence[Statement]) -> set[str]:
    """Names that statements of the block give a value, loop variables included."""
    found = statements(block)
    return _assigned_in(found, nodes_of(found))


def _assigned_in(found: Iterable[Statement], nodes: Iterable[Expression]) -> set[str]:
    names = _changed_by(nodes)
    for statement in found:
        match statement:
            case Assign(target=target):
                root = root_name(target)
                if root:
                    names.add(root)
            case _:
                names.update(declared_names(statement))
    return names


def declared_names(statement: Statement) -> Sequence[str]:
    """Names that a statement declares, or takes for what it counts or unpacks; '' for what has none."""
    match statement:
        case Declare() | For() | Registers() | Shared() | Table():
            return [statement.name]
        case Share(coordinates=names) | Unpack(names=names) | Threads(names=names):
            return names
        case _:
            return ()


def root_name(place: Expression) -> str | None:
    """The local variable that a store to `place` changes; None for elements of arrays."""
    while isinstance(place, _Part):
        place = place.value
    return place.name if isinstance(place, Name) else None


def leaf_of(value: Expression) -> str:
    """The leaf that a value is, as launch descriptions have it: `state.position.indices`; '' for others."""
    match value:
        case Name(name=name):
            return name
        case Member(value=inner, path=path) if isinstance(inner.type, Struct) and (outer := leaf_of(inner)):
            return f"{outer}{path}"
        case _:
            return ""


def mutated_arguments(call: Call) -> set[str]:
    """Variables that a call changes: the state of the random number functions, components set by helpers."""
    if call.effect & Effect.RANDOM or (call.helper and call.helper[0] == "set_row"):
        root = root_name(call.arguments[0]) if call.arguments else None
        return {root} if root else set()
    return set()


def assigned_whole(statement: Statement) -> list[str]:
    """Names that the statement itself gives a whole new value."""
    if isinstance(statement, Assign) and isinstance(statement.target, Name):
        return [statement.target.name]
    if isinstance(statement, Unpack):
        return statement.names
    return []


def changed_names(block: Sequence[Statement]) -> set[str]:
    """Names that some statement of the block changes, wholly or in part; loop variables of its loops
    excepted.
    """
    found = statements(block)
    return changed_in(found, nodes_of(found))


def changed_in_block(block: Sequence[Statement]) -> set[str]:
    """Names that some statement of the block changes, loop variables of its loops included."""
    found = statements(block)
    nodes = nodes_of(found)
    return _assigned_in(found, nodes) | changed_in(found, nodes)


def changed_in(found: Iterable[Statement], nodes: Iterable[Expression]) -> set[str]:
    """Names that these statements change by themselves, `nodes` being all of their own expressions."""
    names = _changed_by(nodes)
    for statement in found:
        if isinstance(statement, Assign):
            place = statement.target
            root = root_name(place.arguments[0] if isinstance(place, Call) else place)
            if root is not None:
                names.add(root)
        elif isinstance(statement, Unpack):
            names.update(statement.names)
    return names


def _changed_by(nodes: Iterable[Expression]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        kind = node.__class__
        if kind is AddressOf:
            if (root := root_name(node.place)) is not None:  # type: ignore[attr-defined]
                names.add(root)
        elif kind is Call:
            names |= mutated_arguments(node)  # type: ignore[arg-type]
    return names
