"""Where all launch dimensions go along x, the offset of the thread's own element is the thread's number.

Before: `cells[j * nx + i]`, with `j` and `i` worked out from `thread`. After: `cells[thread]`. Offsets of
neighbours keep their form, and coordinates that nothing else needs are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.cuda.analysis.linear import Key, key_of
from weft.cuda.passes.offsets import SIGNED_SIZE, SIZE, widened
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import INT, Binary, Call, Declare, Expression, Function, Name, Pointee


@dataclass(frozen=True)
class Unraveled:
    """The thread's number, the constant coordinates that it is taken apart into, and what each is below."""

    number: Name
    coordinates: tuple[str, ...]
    extents: tuple[Expression, ...]


def use_number(kernel: Function, place: Unraveled) -> None:
    """Run the pass on a kernel in which all extents are parameters."""
    own = _offset(place.coordinates, place.extents)
    for expression in list(all_expressions(kernel.body)):
        if isinstance(expression, Pointee):
            expression.offset = _simpler(expression.offset, own, place.number)
    read = {e.name for e in all_expressions(kernel.body) if isinstance(e, Name)}
    kernel.body[:] = [
        statement
        for statement in kernel.body
        if not isinstance(statement, Declare)
        or statement.name not in place.coordinates
        or statement.name in read
    ]


def _offset(coordinates: Sequence[str], extents: Sequence[Expression]) -> Key:
    """What the offset of the thread's element in an array of the launch's shape looks like."""
    offset: Expression = Name(INT, coordinates[0])
    for name, extent in zip(coordinates[1:], extents[1:], strict=True):
        offset = Binary(INT, "+", Binary(INT, "*", offset, extent), Name(INT, name))
    return _key(offset)


def _simpler(offset: Expression, own: Key, number: Name) -> Expression:
    """`offset` with the number for the thread's element, or for the place where its components begin."""
    if not isinstance(offset, Binary):
        return offset
    if offset.operator == "+" and _key(offset) == own:
        return Name(number.type, number.name)
    if offset.operator == "*":
        left = _simpler(offset.left, own, number)
        if left is not offset.left:
            return Binary(offset.type, "*", widened(left) if offset.type == SIZE else left, offset.right)
    elif offset.operator == "+" and isinstance(offset.left, Binary) and offset.left.operator == "*":
        offset.left = _simpler(offset.left, own, number)
    return offset


def _key(offset: Expression) -> Key:
    """The key of an offset, whatever the width in which it is computed."""
    if isinstance(offset, Binary):
        return f"{offset.operator}({_key(offset.left)},{_key(offset.right)})"
    if isinstance(offset, Call) and offset.type in (SIZE, SIGNED_SIZE) and len(offset.arguments) == 1:
        return _key(offset.arguments[0])
    return key_of(offset)
