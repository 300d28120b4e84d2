"""Pass: an update in place needs no atomic where each thread has its own element.

Before: `a[i] += v` on an array is an atomic, as in Warp. After: it is a plain update if every access to `a`
in the kernel has the thread's own coordinates among its indices, each at its place, so that no two threads
meet: `a[i]`, or `counts[bin, i]`, in which a thread has a column.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.device_functions import BY_FUNCTION
from weft.cuda.traverse import all_expressions, blocks, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Call,
    Component,
    Declare,
    Element,
    Evaluate,
    Expression,
    Extent,
    Function,
    LocalArray,
    Member,
    Name,
    Statement,
    Threads,
    Unary,
)
from weft.types import Array


def use_plain_updates(kernel: Function) -> None:
    """Run the pass on the kernel."""
    threads = kernel.body[0] if kernel.body else None
    if not isinstance(threads, Threads) or not all(threads.declares):
        return
    if not any(map(_in_place, statements(kernel.body))):
        return
    places: dict[str, set[tuple[int, ...] | None]] = {}
    known: set[int] = set()
    nodes = all_expressions(kernel.body)
    for expression in nodes:
        if isinstance(expression, Element) and isinstance(expression.array, Name):
            places.setdefault(expression.array.name, set()).add(_places(expression, threads.names))
            known.add(id(expression.array))
        elif isinstance(expression, Extent):
            known.add(id(expression.array))
    for expression in nodes:
        if (
            isinstance(expression, Name)
            and isinstance(expression.type, Array)
            and id(expression) not in known
        ):
            places.setdefault(expression.name, set()).add(None)
    owned = {array for array, found in places.items() if len(found) == 1 and None not in found}
    # Another name may stand for the memory of a view: only a parameter is known to be alone.
    _rewrite(kernel.body, owned & {name for name, _ in kernel.parameters})


def _places(element: Element, coordinates: Sequence[str]) -> tuple[int, ...] | None:
    """Where the coordinates stand among the indices of an element; None if one of them does not."""
    names = [index.name if isinstance(index, Name) else None for index in element.indices]
    return tuple(map(names.index, coordinates)) if set(coordinates) <= set(names) else None


def use_plain_updates_of_own_arrays(function: Function) -> None:
    """Run the pass on the arrays that live in a function: no other thread has them."""
    own: set[str] = set()
    for statement in statements(function.body):
        if isinstance(statement, Declare) and statement.constant and _is_own(statement.value, own):
            own.add(statement.name)
    if own:
        _rewrite(function.body, own)


def _is_own(value: Expression | None, own: set[str]) -> bool:
    """Whether a value is such an array, or a part of one. Variables stand before their uses."""
    while isinstance(value, Element):
        value = value.array
    return isinstance(value, LocalArray) or (isinstance(value, Name) and value.name in own)


def _array(place: Expression) -> str | None:
    """The array of which a place is an element, or a part of one."""
    while isinstance(place, Element | Member | Component):
        place = place.array if isinstance(place, Element) else place.value
    return place.name if isinstance(place, Name) else None


def _in_place(statement: Statement) -> Call | None:
    """The call that a statement is if it updates in place."""
    call = statement.value if isinstance(statement, Evaluate) else None
    return call if isinstance(call, Call) and call.in_place else None


def _rewrite(block: list[Statement], owned: set[str]) -> None:
    for position, statement in enumerate(block):
        for inner in blocks(statement):
            _rewrite(inner, owned)
        if (call := _in_place(statement)) is not None:
            update = _plain(call, owned)
            if update is not None:
                target, operator, value = update
                block[position] = Assign(
                    target, operator, value, trailing=statement.trailing, node=statement.node
                )


def _plain(call: Call, owned: set[str]) -> tuple[Expression, str, Expression] | None:
    """The update `target operator= value` that the call does, if its element is the thread's own."""
    address, value = call.arguments
    if not isinstance(address, AddressOf):
        return None
    if _array(address.place) not in owned:
        return None
    atomic = BY_FUNCTION[call.function]
    assert atomic.operator
    if atomic.operator == "+" and isinstance(value, Unary) and value.operator == "-":
        return address.place, "-", value.operand
    return address.place, atomic.operator, value
