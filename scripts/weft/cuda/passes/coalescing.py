"""How the coordinates of a thread follow each other in memory: neighbours should lie in one warp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import Binary, Call, Cast, Declare, Element, Expression, Literal, Name, Statement, Unary
from weft.types import Array

_Depths = Counter[str]
"""The coordinates on which an index depends: 1 if a step along one is that of a single element, and one more
for each extent that it skips.
"""


def memory_order(coordinates: Sequence[str], body: list[Statement]) -> tuple[int, ...]:
    """The coordinates by number, the slowest in memory first: for the slowest, a step skips most memory in
    the elements that the body mentions. For the last one, a step is most often a single element.
    """
    known = {name: _Depths({name: 1}) for name in coordinates}
    for statement in statements(body):
        if isinstance(statement, Declare) and statement.constant and statement.value is not None:
            known.setdefault(statement.name, _depths(statement.value, known))
    elements = [_of_element(node, known) for node in all_expressions(body) if isinstance(node, Element)]
    far = [sum(found[name] > 1 for found in elements) for name in coordinates]
    skipped = [sum(max(found[name] - 1, 0) for found in elements) for name in coordinates]
    numbers = range(len(coordinates))
    fastest = max(numbers, key=lambda at: (-far[at], at))
    return (*sorted(set(numbers) - {fastest}, key=lambda at: (-skipped[at], at)), fastest)


def _of_element(element: Element, known: Mapping[str, _Depths]) -> _Depths:
    """Each index skips the extents of those behind it."""
    ndim = element.array.type.ndim if isinstance(element.array.type, Array) else 1
    found = _Depths()
    for at, index in enumerate(element.indices, 1):
        found |= _deeper(_depths(index, known), ndim - at)
    return found


def _depths(index: Expression, known: Mapping[str, _Depths]) -> _Depths:
    """What an index depends on; one that an array holds lies anywhere."""
    match index:
        case Name(name=name):
            return known.get(name, _Depths())
        case Binary(operator="*", left=left, right=right):
            both = _depths(left, known) | _depths(right, known)
            return both if isinstance(left, Literal) or isinstance(right, Literal) else _deeper(both, 1)
        case Binary(operator="+" | "-" | "%" | "&" | "|" | "^", left=left, right=right):
            return _depths(left, known) | _depths(right, known)
        case Call(arguments=arguments):
            found = _Depths()
            for argument in arguments:
                found |= _depths(argument, known)
            return found
        case Unary(operand=operand) | Cast(operand=operand):
            return _depths(operand, known)
        case _:
            return _Depths()


def _deeper(depths: _Depths, by: int) -> _Depths:
    return _Depths({name: depth + by for name, depth in depths.items()})
