"""Walking and rewriting the translator's tree."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Chain,
    Component,
    Conditional,
    Construct,
    Declare,
    Element,
    Evaluate,
    Expression,
    Extent,
    For,
    Function,
    If,
    Member,
    Name,
    Pointee,
    Result,
    Return,
    Shared,
    Slice,
    Statement,
    Table,
    Threads,
    Unary,
    Unpack,
    While,
)

_PARTS: dict[type[Expression], tuple[str, ...]] = {
    Unary: ("operand",),
    Cast: ("operand",),
    Binary: ("left", "right"),
    Conditional: ("test", "then", "otherwise"),
    Chain: ("operands",),
    Call: ("arguments",),
    Construct: ("arguments",),
    Member: ("value",),
    Result: ("call",),
    Component: ("value", "indices"),
    Element: ("array", "indices"),
    Slice: ("start", "stop", "step"),
    Extent: ("array",),
    Pointee: ("base", "offset"),
    AddressOf: ("place",),
}
"""The fields that hold parts of an expression, in the order in which Warp evaluates them."""


def children(expression: Expression) -> list[Expression]:
    """The direct parts of an expression, in the order in which Warp evaluates them."""
    parts: list[Expression] = []
    for field in _PARTS.get(expression.__class__, ()):
        value = getattr(expression, field)
        if isinstance(value, list):
            parts += value
        else:
            parts.append(value)
    return parts


def walk(expression: Expression) -> list[Expression]:
    """All nodes of an expression, parts first."""
    nodes: list[Expression] = []
    _collect(expression, nodes)
    return nodes


def _collect(expression: Expression, nodes: list[Expression]) -> None:
    for field in _PARTS.get(expression.__class__, ()):
        value = getattr(expression, field)
        if isinstance(value, list):
            for part in value:
                _collect(part, nodes)
        else:
            _collect(value, nodes)
    nodes.append(expression)


def replace_children(expression: Expression, change: Callable[[Expression], Expression]) -> None:
    """Replace each direct part of `expression` by what `change` makes of it."""
    for field in _PARTS.get(expression.__class__, ()):
        value = getattr(expression, field)
        setattr(
            expression, field, [change(part) for part in value] if isinstance(value, list) else change(value)
        )


def rewrite(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """`expression` with `change` applied to every node, parts first."""
    replace_children(expression, lambda part: rewrite(part, change))
    return change(expression)


def clone(expression: Expression) -> Expression:
    """A copy that shares no node with `expression`."""
    copy = dataclasses.replace(expression)
    replace_children(copy, clone)
    return copy


def copy_function(function: Function) -> Function:
    """A copy of a function that shares no expression or statement with it."""
    return dataclasses.replace(
        function, parameters=list(function.parameters), body=[_copy(statement) for statement in function.body]
    )


def _copy(statement: Statement) -> Statement:
    copied: dict[str, Any] = {}
    for field in dataclasses.fields(statement):
        value = getattr(statement, field.name)
        if isinstance(value, Expression):
            copied[field.name] = clone(value)
        elif isinstance(value, list):
            copied[field.name] = [_copy_item(item) for item in value]
    return dataclasses.replace(statement, **copied)


def _copy_item(item: Any) -> Any:
    if isinstance(item, Statement):
        return _copy(item)
    return clone(item) if isinstance(item, Expression) else item


def expressions(statement: Statement) -> list[Expression]:
    """The expressions that stand in the statement itself, not in its blocks; value before target."""
    match statement:
        case Declare(value=value):
            return [value] if value is not None else []
        case Assign(target=target, value=value):
            return [value, target]
        case Unpack(value=value) | Evaluate(value=value):
            return [value]
        case If(test=test) | While(test=test):
            return [test]
        case For(start=start, stop=stop, stride=stride):
            return [start, stop] if stride is None else [start, stop, stride]
        case Return(values=values) | Table(values=values):
            return list(values)
        case _:
            return []


def blocks(statement: Statement) -> list[list[Statement]]:
    """The blocks of a statement."""
    match statement:
        case If(body=body, otherwise=otherwise):
            return [body, otherwise]
        case For(body=body) | While(body=body):
            return [body]
        case _:
            return []


def statements(block: list[Statement]) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it, in order."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def all_expressions(block: list[Statement]) -> Iterator[Expression]:
    """All expression nodes of a block."""
    for statement in statements(block):
        for expression in expressions(statement):
            yield from walk(expression)


def rewrite_block(block: list[Statement], change: Callable[[Expression], Expression]) -> None:
    """Apply `rewrite` to every expression of a block."""
    for statement in statements(block):
        for field in dataclasses.fields(statement):
            value = getattr(statement, field.name)
            if isinstance(value, Expression):
                setattr(statement, field.name, rewrite(value, change))
            elif isinstance(value, list) and value and isinstance(value[0], Expression):
                setattr(statement, field.name, [rewrite(item, change) for item in value])


def assigned_names(block: list[Statement]) -> set[str]:
    """Names that statements of the block give a value, loop variables included."""
    names: set[str] = set()
    for statement in statements(block):
        match statement:
            case Assign(target=target):
                root = root_name(target)
                if root:
                    names.add(root)
            case Declare(name=name) | For(name=name) | Shared(name=name) | Table(name=name):
                names.add(name)
            case Unpack(names=several) | Threads(names=several):
                names.update(several)
            case _:
                pass
    for expression in all_expressions(block):
        if isinstance(expression, AddressOf) and (root := root_name(expression.place)):
            names.add(root)
        if isinstance(expression, Call):
            names.update(mutated_arguments(expression))
    return names


def root_name(place: Expression) -> str | None:
    """The local variable that a store to `place` changes; None for elements of arrays."""
    match place:
        case Name(name=name):
            return name
        case Member(value=value) | Component(value=value):
            return root_name(value)
        case _:
            return None


def mutated_arguments(call: Call) -> set[str]:
    """Variables that a call changes: the state of the random number functions, components set by helpers."""
    if call.effect in RANDOM_EFFECTS or (call.helper and call.helper[0] in MUTATING_HELPERS):
        root = root_name(call.arguments[0]) if call.arguments else None
        return {root} if root else set()
    return set()


RANDOM_EFFECTS = {"u", "z", "r", "point", "count"}
MUTATING_HELPERS = {"set_row"}


def assigned_whole(statement: Statement) -> list[str]:
    """Names that the statement itself gives a whole new value."""
    if isinstance(statement, Assign) and isinstance(statement.target, Name):
        return [statement.target.name]
    if isinstance(statement, Unpack):
        return statement.names
    return []


def changed_names(block: list[Statement]) -> set[str]:
    """Names that some statement of the block changes, wholly or in part; loop variables of its loops
    excepted.
    """
    names: set[str] = set()
    for statement in statements(block):
        if isinstance(statement, Assign) and (root := root_name(statement.target)):
            names.add(root)
        if isinstance(statement, Assign) and isinstance(statement.target, Call):
            root = root_name(statement.target.arguments[0])
            names |= {root} if root else set()
        names.update(assigned_whole(statement))
    for expression in all_expressions(block):
        if isinstance(expression, AddressOf) and (root := root_name(expression.place)):
            names.add(root)
        if isinstance(expression, Call):
            names |= mutated_arguments(expression)
    return names
