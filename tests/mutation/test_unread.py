"""What a tile holds where no thread reads is nobody's concern; where one does, it is."""

import dataclasses

import pytest

from weft.cuda.tree import (
    Assign,
    Binary,
    Component,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Return,
    Shared,
    Statement,
)
from weft.mutation.unread import Tiles
from weft.types import parse_type

INT, FLOAT, ARRAY, TILE = (
    parse_type(text) for text in ("int32", "float32", "array<float32,1>", "tile<float32,18>")
)
X, E = Name(INT, "threadIdx.x"), Name(INT, "e")


def literal(value: int) -> Literal:
    return Literal(INT, value)


def plus(left: Expression, right: int) -> Expression:
    return Binary(INT, "+", left, literal(right))


def element(index: Expression) -> Component:
    return Component(FLOAT, Name(TILE, "tile"), "", [index])


def loaded(value: Expression, first: int = 0, end: int = 18) -> For:
    """A block of 16 threads loads a tile of 18 elements."""
    store = Assign(element(E), "", Pointee(FLOAT, Name(ARRAY, "x"), value))
    return For(INT, "e", plus(X, first), literal(end), 16, [store])


def alike(other: For, *rest: Statement, value: Expression = E) -> bool:
    """Whether another loop serves threads that read the elements from 1 to 16, and do what `rest` says."""
    loop = loaded(value)
    read = Declare(FLOAT, "own", element(plus(X, 1)), constant=True)
    kernel = Function(
        "k", "k", "", [("x", ARRAY)], None, [Shared(FLOAT, "tile", (18,)), loop, read, *rest], True
    )
    return Tiles(kernel, (16, 1, 1)).loads_alike(loop, other)


@pytest.mark.parametrize(
    ("first", "end", "expected"),
    [(0, 17, True), (1, 18, True), (0, 16, False), (2, 18, False), (0, 19, False)],
)
def test_only_what_is_read_must_be_loaded(first: int, end: int, expected: bool) -> None:
    assert alike(loaded(E, first, end), value=E) is expected


def test_all_other_uses_of_a_tile_count() -> None:
    shorter = loaded(E, 0, 17)
    assert alike(shorter)
    last = Declare(FLOAT, "last", element(literal(17)), constant=True)
    assert not alike(shorter, last)
    assert not alike(shorter, If(Binary(parse_type("bool"), "<", X, literal(3)), [last], []))
    assert not alike(shorter, Declare(FLOAT, "any", element(Name(INT, "i")), constant=True))
    assert not alike(shorter, If(Binary(parse_type("bool"), "<", X, literal(3)), [Return([])], []))


def test_what_is_loaded_must_not_depend_on_who_loads_it() -> None:
    assert not alike(dataclasses.replace(loaded(X), stop=literal(17)), value=X)
