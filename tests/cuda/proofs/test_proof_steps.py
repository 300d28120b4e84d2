"""The cost of the proofs grows with the text: of many early returns, each is as cheap as the first."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from random_integers import random_case

from weft.cuda.analysis.linear import Linear
from weft.cuda.passes.prove import prove
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Element,
    Expression,
    Function,
    If,
    Literal,
    Name,
    Return,
    Statement,
    Threads,
)
from weft.types import Array

STEPS_OF_A_GUARD = 400
"""Sums of linear forms that one guard may cost, whatever stands before it."""


def _name(name: str) -> Name:
    return Name(INT, name)


def _sum(*parts: Expression) -> Expression:
    total = parts[0]
    for part in parts[1:]:
        total = Binary(INT, "+", total, part)
    return total


def _return_if(left: Expression, operator: str, right: Expression) -> Statement:
    return If(Binary(BOOL, operator, left, right), [Return([])], [])


def _read(index: Expression) -> Statement:
    return Assign(_name("a"), "+", Element(INT, Name(Array(INT, 1), "x"), [index]))


def one_variable(number: int) -> list[Statement]:
    index = Binary(INT, "-", Binary(INT, "*", Literal(INT, 3), _name("i")), _name("m"))
    return [_return_if(_name("i"), "<", Literal(INT, number)), _read(index)]


def three_variables(number: int) -> list[Statement]:
    names = [_name(name) for name in "ikn"]
    index = Binary(INT, "-", _sum(*names), _name("m"))
    return [*(_return_if(name, "<", Literal(INT, number)) for name in names), _read(index)]


def two_in_each(number: int) -> list[Statement]:
    guard = _return_if(Binary(INT, "-", _name("i"), Literal(INT, number)), "<", _name("k"))
    index = Binary(INT, "-", Binary(INT, "*", Literal(INT, 3), _name("i")), _name("m"))
    return [guard, _read(index)]


def named_sums(number: int) -> list[Statement]:
    place = _name(f"p{number}")
    return [
        Assign(place, "", _sum(_name("i"), Literal(INT, number))),
        _return_if(place, ">=", _name("n")),
        _read(Binary(INT, "-", place, _name("m"))),
    ]


def stencil(number: int) -> list[Statement]:
    """One of the neighbours of a cell, each behind checks of its own."""
    offsets = [number // 9 % 3 - 1, number // 3 % 3 - 1, number % 3 - 1]
    places = [_sum(_name(name), Literal(INT, offset)) for name, offset in zip("ikm", offsets, strict=True)]
    body: list[Statement] = [_read(_sum(*places))]
    for place in places:
        inside = Binary(BOOL, "&&", Binary(BOOL, ">=", place, Literal(INT, 0)), _below(place))
        body = [If(inside, body, [])]
    return body


def _below(place: Expression) -> Expression:
    return Binary(BOOL, "<", place, _name("n"))


@pytest.mark.parametrize("count", [10, 20, 40, 80])
@pytest.mark.parametrize("guard", [one_variable, three_variables, two_in_each, named_sums, stencil])
def test_a_guard_costs_the_same_after_many_others(
    guard: Callable[[int], list[Statement]], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0
    plus = Linear.plus

    def counted(self: Linear, other: Linear, factor: int) -> Linear:
        nonlocal steps
        steps += 1
        assert steps <= STEPS_OF_A_GUARD * count, "the proofs try too much"
        return plus(self, other, factor)

    monkeypatch.setattr(Linear, "plus", counted)
    case = random_case(0)
    launch = dataclasses.replace(case.launch, inferred=frozenset(case.launch.parameters), inferred_dims=True)
    first = Assign(_name("a"), "", Literal(INT, 0))
    guards = [statement for number in range(count) for statement in guard(number)]
    kernel = Function(
        "kernel", "kernel", "", case.kernel.parameters, None, [Threads(["i"]), first, *guards], True
    )
    prove([kernel], launch, {"y"}, {})
