"""Loops over the components of vectors are written out where that is short."""

import pytest

from weft.cuda.passes.components import write_out_components
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Element,
    Expression,
    For,
    Function,
    Literal,
    Member,
    Name,
    Statement,
)
from weft.types import Array, Scalar, Vector

FLOAT = Scalar("float32")
KIND = Vector(3, FLOAT)
V, W = Name(KIND, "v"), Name(KIND, "w")


def component(vector: Expression, index: str, changed: bool = False) -> Call:
    function = "component_ref" if changed else "component"
    return Call(FLOAT, function, [vector, Name(INT, index)], (function, (KIND,)))


def over(count: int, *body: Statement) -> list[Statement]:
    """The statements for which a loop over so many components stands after the pass."""
    loop = For(INT, "c", Literal(INT, 0), Literal(INT, count), 1, list(body))
    function = Function("f", "f", "", [], None, [loop], True)
    write_out_components(function)
    return function.body


def doubled(target: Expression = V) -> Assign:
    return Assign(component(target, "c", True), "", Binary(FLOAT, "+", component(V, "c"), component(W, "c")))


def test_each_component_has_a_line() -> None:
    lines = over(3, doubled())
    assert lines == [
        Assign(
            Member(FLOAT, V, path),
            "",
            Binary(FLOAT, "+", Member(FLOAT, V, path), Member(FLOAT, W, path)),
        )
        for path in (".x", ".y", ".z")
    ]


ELEMENT = Element(FLOAT, Name(Array(FLOAT, 1), "a"), [Name(INT, "c")])


@pytest.mark.parametrize(
    ("count", "body"),
    [
        (2, [doubled()]),
        (3, [Assign(component(V, "c", True), "", ELEMENT)]),
        (3, [doubled(), doubled(W), doubled()]),
        (3, [Assign(component(V, "k", True), "", Literal(FLOAT, 0.0))]),
    ],
    ids=["not all components", "an element, too", "too many lines", "another variable"],
)
def test_a_loop_stays_that_is_about(count: int, body: list[Statement]) -> None:
    assert isinstance(over(count, *body)[0], For)
