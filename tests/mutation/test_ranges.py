"""A narrower type is no mistake where it holds every number of every described launch, and only there."""

from typing import Any

import pytest

from weft.cuda.tree import Binary, Call, Cast, Declare, Expression, Function, Literal, Name, Pointee
from weft.launch import parse_launch
from weft.mutation.ranges import Ranges
from weft.types import parse_type

INT, FLOAT, ARRAY = (parse_type(text) for text in ("int32", "float32", "array<float32,1>"))
INT8 = parse_type("int8")
X, N = Pointee(FLOAT, Name(ARRAY, "x"), Name(INT, "i")), Name(INT, "n")


def number(value: float) -> Literal:
    return Literal(FLOAT, value)


def call(function: str, *arguments: Expression) -> Call:
    return Call(arguments[0].type, function, list(arguments))


def times(value: Expression, factor: float) -> Expression:
    return Binary(FLOAT, "*", value, number(factor))


def fits(operand: Expression, values: dict[str, Any], role: str = "in") -> bool:
    """Whether int8 holds an expression of an array and of a size, both of which have a range."""
    parameters = {"x": {"role": role, "shape": ["n"], "values": values}, "n": {"values": {"size": "n"}}}
    launch = parse_launch({"dims": ["n"], "parameters": parameters}, "k")
    body = [Declare(FLOAT, "value", operand, constant=True), Declare(FLOAT, "changed", operand)]
    kernel = Function("k", "k", "", [("x", ARRAY), ("n", INT)], None, body, True)
    return Ranges([kernel], launch).fits(Name(FLOAT, "value"), INT8, kernel)


@pytest.mark.parametrize(
    ("operand", "expected"),
    [
        (times(X, 100.0), True),
        (times(X, 127.5), True),
        (times(X, 128.0), False),
        (call("floorf", times(X, -127.5)), True),
        (call("floorf", times(X, -128.5)), False),
        (call("fminf", call("fmaxf", number(0.0), call("expf", X)), number(31.0)), True),
        (call("fmaxf", number(0.0), call("expf", X)), False),
        (call("fminf", call("expf", X), number(31.0)), True),
        (call("fminf", call("logf", X), number(31.0)), False),
        (Binary(FLOAT, "/", number(1.0), X), False),
        (Binary(FLOAT, "/", number(1.0), Binary(FLOAT, "+", X, number(0.5))), True),
        (Cast(FLOAT, N), False),
        (Name(FLOAT, "changed"), False),
    ],
)
def test_what_a_narrower_type_holds(operand: Expression, expected: bool) -> None:
    assert fits(operand, {"uniform": [0.0, 1.0]}) is expected


def test_nothing_is_known_of_arrays_that_change_or_depend_on_the_size() -> None:
    assert fits(X, {"integers": [0, 100]})
    assert not fits(X, {"integers": [0, 100]}, "inout")
    assert not fits(X, {"integers": [0, "n"]})
