"""Pass: tests that a tile lies within its array are left out where the launch description proves them."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.passes.linear import Linear, constant, linear
from weft.cuda.passes.numbers import Number
from weft.cuda.passes.state import State
from weft.cuda.traverse import blocks
from weft.cuda.tree import BOOL, Binary, Expression, If, Literal, Statement

Form = Callable[[Expression], Linear]
Lower = Callable[[Linear], Number]

TRUE = Literal(BOOL, True)

_DEPTH = 6


def holds(test: Binary, state: State, form: Form, lower: Lower) -> bool:
    """Whether `left < right` is proved; `form` gives linear forms, `lower` a bound that needs no facts."""
    return _proved(form(test.right) - form(test.left) - constant(1), state, form, lower, _DEPTH)


def _proved(goal: Linear, state: State, form: Form, lower: Lower, depth: int) -> bool:
    """Whether a form is at least zero: atoms that it subtracts are replaced by what they are not above."""
    if lower(goal) >= 0:
        return True
    if depth == 0:
        return False
    for key, (coefficient, atom) in goal.terms.items():
        if coefficient > 0:
            continue
        for fact in [*state.facts, *_of_quotient(atom, form, lower)]:
            factor = -fact.terms[key][0] if key in fact.terms else 0
            if factor <= 0 or coefficient % factor:
                continue
            if _proved(goal.plus(fact, coefficient // factor), state, form, lower, depth - 1):
                return True
    return False


def _of_quotient(atom: Expression, form: Form, lower: Lower) -> list[Linear]:
    """a - (a / c) c is not negative, where a is not."""
    match atom:
        case Binary(operator="/" | "//", left=left, right=Literal(value=int(divisor))) if divisor > 0:
            dividend = form(left)
            return [dividend - linear(atom).times(divisor)] if lower(dividend) >= 0 else []
        case _:
            return []


def joined(left: Expression, right: Expression, test: Expression) -> Expression:
    """`left && right` without what is known to hold."""
    if left == TRUE:
        return right
    return left if right == TRUE else test


def drop_known_tests(block: list[Statement]) -> None:
    """Replace each If whose test is known to hold by its body."""
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            drop_known_tests(inner)
        if isinstance(statement, If) and statement.test == TRUE and not statement.otherwise:
            block[position : position + 1] = statement.body
            position += len(statement.body)
        else:
            position += 1
