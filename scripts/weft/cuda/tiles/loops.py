"""Loops in which the threads of a block share the elements of a tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.cuda.tiles.values import Coordinates, unravel
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Declare,
    Evaluate,
    Expression,
    For,
    If,
    Literal,
    Name,
    Statement,
    Unary,
)
from weft.types import Type

THREAD = "threadIdx.x"
BARRIER = "__syncthreads"

_AXES = {1: [], 2: ["row", "column"], 3: ["plane", "row", "column"]}


def barrier() -> Statement:
    """All threads of the block wait for each other."""
    return Evaluate(Call(INT, BARRIER, [], effect="barrier"))


def by_first_thread(body: list[Statement]) -> Statement:
    """What one thread does for all."""
    return by_thread(Literal(INT, 0), body)


def by_thread(place: Expression, body: list[Statement]) -> Statement:
    """What the thread at a place in the block does for all."""
    test = Binary(BOOL, "==", Name(INT, THREAD), place)
    match body:
        case [If(test=inner, body=rest, otherwise=[])]:
            return If(Binary(BOOL, "&&", test, inner), rest, [], divergent=True)
        case _:
            return If(test, body, [], divergent=True)


class LoopNames:
    """Names of loop variables and coordinates, clear of the function's own."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.chosen: dict[tuple[str, str], str] = {}

    def standing(self, name: str, kind: Type = INT) -> str:
        """The same name each time for the same type, for variables that live in a loop."""
        key = name, str(kind)
        if key not in self.chosen:
            self.chosen[key] = self.fresh(name)
        return self.chosen[key]

    def fresh(self, name: str) -> str:
        """A name that nothing has yet."""
        stem, number = name, 2
        while name in self.taken:
            name = f"{stem}{number}"
            number += 1
        self.taken.add(name)
        return name


def share(
    shape: Sequence[int], names: LoopNames, body: Callable[[Coordinates], list[Statement]]
) -> Statement:
    """`body` for all coordinates of a tile: those of element e by thread e % blockDim.x."""
    long = [extent for extent in shape if extent > 1]
    if not long:
        return by_first_thread(body([Literal(INT, 0)] * len(shape)))
    index = names.standing("e")
    size = 1
    for extent in long:
        size *= extent
    coordinates = unravel(Name(INT, index), shape)
    declarations: list[Statement] = []
    if len(long) > 1:
        words = _AXES.get(len(long)) or [f"axis{axis}" for axis in range(len(long))]
        axes = iter([names.standing(word) for word in words])
        for axis, extent in enumerate(shape):
            if extent > 1:
                name = next(axes)
                declarations.append(Declare(INT, name, coordinates[axis], True, below=extent))
                coordinates[axis] = Name(INT, name)
    inner = body(coordinates)
    used = {e.name for e in all_expressions(inner) if isinstance(e, Name)}
    declarations = [d for d in declarations if isinstance(d, Declare) and d.name in used]
    return For(
        INT, index, Name(INT, THREAD), Literal(INT, size), 1, [*declarations, *inner], across=tuple(shape)
    )


def is_simple(expression: Expression) -> bool:
    """Whether an expression may stand in a loop as it is: numbers, names and sums of them."""
    match expression:
        case Literal() | Name():
            return True
        case Binary(operator="+" | "-" | "*", left=left, right=right):
            return is_simple(left) and is_simple(right)
        case Unary(operator="-", operand=operand):
            return is_simple(operand)
        case _:
            return False
