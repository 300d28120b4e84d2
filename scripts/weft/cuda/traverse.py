"""Walking and rewriting the translator's tree."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

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
    Let,
    Literal,
    Member,
    Name,
    Native,
    Pointee,
    Registers,
    Remark,
    Reshaped,
    Result,
    Return,
    Share,
    Shared,
    Slice,
    Statement,
    Table,
    Unary,
    Unpack,
    While,
    is_blank,
)

_PARTS: dict[type[Expression], tuple[str, ...]] = {
    Unary: ("operand",),
    Cast: ("operand",),
    Binary: ("left", "right"),
    Conditional: ("test", "then", "otherwise"),
    Chain: ("operands",),
    Let: ("value", "body"),
    Call: ("arguments",),
    Construct: ("arguments",),
    Member: ("value",),
    Result: ("call",),
    Component: ("value", "indices"),
    Element: ("array", "indices"),
    Reshaped: ("array", "shape"),
    Slice: ("start", "stop", "step", "count"),
    Extent: ("array",),
    Pointee: ("base", "offset"),
    AddressOf: ("place",),
}
"""The fields that hold parts of an expression, in the order in which Warp evaluates them."""

LEAVES = frozenset({Literal, Name})
"""The expressions without parts that most of a function consists of: what a pass can leave at once."""

_OWN: dict[type[Statement], tuple[str, ...]] = {
    Declare: ("value",),
    Assign: ("value", "target"),
    Unpack: ("value",),
    Evaluate: ("value",),
    If: ("test",),
    While: ("test",),
    For: ("start", "stop", "stride"),
    Share: ("start", "last"),
    Registers: ("extents",),
    Shared: ("extents",),
    Return: ("values",),
    Table: ("values",),
    Native: ("values",),
}
"""The fields that hold expressions of a statement itself, not of its blocks; value before target."""

_OWN_AS_DEFINED = {
    kind: tuple(field.name for field in dataclasses.fields(kind) if field.name in names)
    for kind, names in _OWN.items()
}
"""The same in the order of definition, in which they are rewritten."""

_BLOCKS: dict[type[Statement], tuple[str, ...]] = {
    If: ("body", "otherwise"),
    For: ("body",),
    Share: ("body",),
    While: ("body",),
}
"""The fields that hold blocks."""

Reader = Callable[[Any], Sequence[Any]]


def _reader(kind: type, names: tuple[str, ...]) -> Reader:
    """A function that gives what stands in these fields of a node, lists spread out and None left out.

    Every pass visits every node: what a class of nodes holds is looked up once, not in each node.
    """
    fields = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    get = operator.attrgetter(*names)
    spread = [fields[name].startswith("list") for name in names]
    optional = any("None" in fields[name] for name in names)
    if spread == [True]:
        return get
    if spread == [False] and optional:
        return lambda node: () if (value := get(node)) is None else (value,)
    if not any(spread) and not optional:
        return get if len(names) > 1 else lambda node: (get(node),)
    if spread == [False, True] and not optional:
        return lambda node: [(parts := get(node))[0], *parts[1]]

    def read(node: Any) -> list[Any]:
        found: list[Any] = []
        for name in names:
            value = getattr(node, name)
            if isinstance(value, list):
                found += value
            elif value is not None:
                found.append(value)
        return found

    return read


_READ_PARTS = {kind: _reader(kind, names) for kind, names in _PARTS.items()}
_READ_OWN = {kind: _reader(kind, names) for kind, names in _OWN.items()}


def children(expression: Expression) -> list[Expression]:
    """The direct parts of an expression, in the order in which Warp evaluates them."""
    read = _READ_PARTS.get(expression.__class__)
    return [] if read is None else list(read(expression))


def walk(expression: Expression) -> list[Expression]:
    """All nodes of an expression, parts first."""
    return _walk_all([expression]) if expression.__class__ in _READ_PARTS else [expression]


def _walk_all(roots: list[Expression]) -> list[Expression]:
    """All nodes of the expressions, parts first: a walk from the last part of the last root, turned round."""
    nodes: list[Expression] = []
    take, put, reader = roots.pop, nodes.append, _READ_PARTS.get
    while roots:
        node = take()
        put(node)
        read = reader(node.__class__)
        if read is not None:
            roots += read(node)
    nodes.reverse()
    return nodes


def replace_children(expression: Expression, change: Callable[[Expression], Expression]) -> None:
    """Replace each direct part of `expression` by what `change` makes of it."""
    for field in _PARTS.get(expression.__class__, ()):
        value = getattr(expression, field)
        setattr(
            expression, field, [change(part) for part in value] if isinstance(value, list) else change(value)
        )


def slots(node: Expression | Statement) -> list[tuple[Expression, Callable[[Expression], None]]]:
    """The direct parts of an expression, or the expressions of a statement itself, each with a function that
    puts another in its place.
    """
    found: list[tuple[Expression, Callable[[Expression], None]]] = []
    for field in _PARTS.get(node.__class__) or _OWN_AS_DEFINED.get(node.__class__, ()):  # type: ignore[arg-type]
        value = getattr(node, field)
        if isinstance(value, list):
            found += [(part, functools.partial(value.__setitem__, i)) for i, part in enumerate(value)]
        elif value is not None:
            found.append((value, functools.partial(setattr, node, field)))
    return found


def rewrite(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """`expression` with `change` applied to every node, parts first."""
    for field in _PARTS.get(expression.__class__, ()):
        value = getattr(expression, field)
        if isinstance(value, list):
            setattr(expression, field, [rewrite(part, change) for part in value])
        else:
            setattr(expression, field, rewrite(value, change))
    return change(expression)


def clone(expression: Expression) -> Expression:
    """A copy that shares no node with `expression`."""
    copied = _twin(expression)
    parts = _PARTS.get(expression.__class__)
    if parts is not None:
        fields = vars(copied)
        for name in parts:
            value = fields[name]
            fields[name] = [clone(part) for part in value] if value.__class__ is list else clone(value)
    return copied


Node = TypeVar("Node", Expression, Statement)


def _twin(node: Node) -> Node:
    """A node with the same contents: what `copy.copy` gives, without its search for how to copy."""
    twin = object.__new__(node.__class__)
    vars(twin).update(vars(node))
    return twin


def copy_function(function: Function) -> Function:
    """A copy of a function that shares no expression or statement with it."""
    return dataclasses.replace(
        function, parameters=list(function.parameters), body=[_copy(statement) for statement in function.body]
    )


def _copy(statement: Statement) -> Statement:
    copied = _twin(statement)
    fields = vars(copied)
    for name, value in fields.items():
        if isinstance(value, Expression):
            fields[name] = clone(value)
        elif value.__class__ is list:
            fields[name] = [_copy_item(item) for item in value]
    return copied


def _copy_item(item: Any) -> Any:
    if isinstance(item, Statement):
        return _copy(item)
    return clone(item) if isinstance(item, Expression) else item


def expressions(statement: Statement) -> list[Expression]:
    """The expressions that stand in the statement itself, not in its blocks; value before target."""
    read = _READ_OWN.get(statement.__class__)
    return [] if read is None else list(read(statement))


def rewrite_own(statement: Statement, change: Callable[[Expression], Expression]) -> None:
    """Replace each expression that stands in the statement itself by what `change` makes of it."""
    for name in _OWN_AS_DEFINED.get(statement.__class__, ()):
        value = getattr(statement, name)
        if isinstance(value, list):
            setattr(statement, name, [change(item) for item in value])
        elif value is not None:
            setattr(statement, name, change(value))


def blocks(statement: Statement) -> Sequence[list[Statement]]:
    """The blocks of a statement."""
    names = _BLOCKS.get(statement.__class__)
    return [getattr(statement, name) for name in names] if names else ()


def statements(block: Sequence[Statement]) -> list[Statement]:
    """All statements of a block and of the blocks in it, in order."""
    found: list[Statement] = []
    _gather(block, found)
    return found


def _gather(block: Sequence[Statement], found: list[Statement]) -> None:
    for statement in block:
        found.append(statement)
        for name in _BLOCKS.get(statement.__class__, ()):
            _gather(getattr(statement, name), found)


def all_blocks(body: list[Statement]) -> list[list[Statement]]:
    """A block and the blocks in it, in order."""
    return [body, *(inner for statement in statements(body) for inner in blocks(statement))]


def all_expressions(block: Sequence[Statement]) -> list[Expression]:
    """All expression nodes of a block."""
    return nodes_of(statements(block))


def is_name(node: object, name: str | None) -> TypeGuard[Name]:
    """Whether an expression is the variable of that name."""
    return isinstance(node, Name) and node.name == name


def mentions(block: Sequence[Statement], name: str | None) -> bool:
    """Whether statements mention a variable."""
    return any(is_name(node, name) for node in all_expressions(block))


def names_of(nodes: Iterable[Expression | None]) -> set[str]:
    """The names among expression nodes."""
    return {node.name for node in nodes if isinstance(node, Name)}


def renamed(node: Expression, names: Mapping[str, str]) -> Expression:
    """The node, or another name in its place: what `rewrite` gives names."""
    return Name(node.type, names[node.name]) if isinstance(node, Name) and node.name in names else node


def rename_in(block: list[Statement], names: Mapping[str, str]) -> None:
    """Give names other names wherever a block reads or changes them. Declarations keep theirs."""
    rewrite_block(block, lambda node: renamed(node, names))


def valued(node: Expression, values: Mapping[str, Expression]) -> Expression:
    """The node, or a copy of the value that a name has: what `rewrite` puts in place of names."""
    return clone(values[node.name]) if isinstance(node, Name) and node.name in values else node


def own_nodes(statement: Statement) -> list[Expression]:
    """All expression nodes of the statement itself, not of its blocks; value before target, parts first."""
    return _walk_all(expressions(statement))


def nodes_of(found: list[Statement]) -> list[Expression]:
    """The expression nodes of the statements themselves, not of their blocks."""
    roots: list[Expression] = []
    for statement in found:
        read = _READ_OWN.get(statement.__class__)
        if read is not None:
            roots += read(statement)
    return _walk_all(roots)


def place_of(statement: Statement, block: Sequence[Statement]) -> int:
    """The position of a statement in its block."""
    return next(at for at, one in enumerate(block) if one is statement)


def above(block: Sequence[Statement], position: int) -> int:
    """The place above the comment on the statement of a block at a position."""
    while position and isinstance(one := block[position - 1], Remark) and not is_blank(one):
        position -= 1
    return position


def rewrite_block(block: list[Statement], change: Callable[[Expression], Expression]) -> None:
    """Apply `rewrite` to every expression of a block."""
    for statement in statements(block):
        rewrite_own(statement, lambda expression: rewrite(expression, change))
