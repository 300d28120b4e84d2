"""What the threads of a block do with the elements of a tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.cuda.tiles.values import Coordinates
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Evaluate,
    Expression,
    If,
    Literal,
    Name,
    Share,
    Statement,
    Unary,
)
from weft.intrinsics import Effect
from weft.types import Type

THREAD = "threadIdx.x"

_AXES = {1: ["e"], 2: ["row", "column"], 3: ["plane", "row", "column"]}


def barrier(function: str = "__syncthreads") -> Statement:
    """All threads of the block wait for each other."""
    return Evaluate(Call(INT, function, [], effect=Effect.BARRIER))


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
    """`body` for all coordinates of a tile, those of element e by thread e % blockDim.x."""
    long = tuple(extent for extent in shape if extent > 1)
    if not long:
        return by_first_thread(body([Literal(INT, 0)] * len(shape)))
    words = _AXES.get(len(long)) or [f"axis{axis}" for axis in range(len(long))]
    chosen = tuple(names.standing(word) for word in words)
    own = iter(chosen)
    coordinates = [Name(INT, next(own)) if extent > 1 else Literal(INT, 0) for extent in shape]
    return Share(long, chosen, body(coordinates))


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
