"""What indices and statements show by themselves, for the proofs of `bounds`."""

from __future__ import annotations

from weft.cuda.traverse import all_expressions, blocks
from weft.cuda.tree import (
    INT,
    Element,
    Expression,
    For,
    Function,
    Jump,
    Literal,
    Name,
    Slice,
    Statement,
    While,
)
from weft.types import Array, Matrix, Transform, Vector

_Loop = For | While


def beginning(index: Expression) -> Expression:
    """What an index begins with: of a slice, its start."""
    if isinstance(index, Slice):
        return index.start[0] if index.start else Literal(INT, 0)
    return index


def used_whole(function: Function) -> set[str]:
    """Arrays that are used otherwise than by indexing all their dimensions."""
    nodes = all_expressions(function.body)
    whole = {id(e.array) for e in nodes if isinstance(e, Element) and not isinstance(e.type, Array)}
    return {e.name for e in nodes if isinstance(e, Name) and isinstance(e.type, Array) and id(e) not in whole}


def index_limits(value: Expression) -> list[int]:
    """The sizes that indices of a vector or matrix may not reach."""
    match value.type:
        case Matrix(rows, columns, _):
            return [rows, columns]
        case Vector(length, _):
            return [length]
        case Transform():
            return [7]
        case _:
            return [4]


def breaks(block: list[Statement]) -> bool:
    """Whether a `break` leaves this loop."""
    for statement in block:
        if isinstance(statement, Jump) and statement.keyword == "break":
            return True
        if not isinstance(statement, _Loop) and any(breaks(inner) for inner in blocks(statement)):
            return True
    return False
