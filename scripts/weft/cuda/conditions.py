"""Conditions that are made of several tests."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from weft.cuda.tree import BOOL, Binary, Expression, Unary
from weft.operator_symbols import OPPOSITE
from weft.types import Scalar


def operands(test: Expression, operator: str = "&&") -> list[Expression]:
    """The tests that an operator joins, by default those that all must hold."""
    if isinstance(test, Binary) and test.operator == operator:
        return [*operands(test.left, operator), *operands(test.right, operator)]
    return [test]


def joined(tests: Iterable[Expression], operator: str = "&&") -> Expression:
    """One condition made of tests."""
    return functools.reduce(functools.partial(Binary, BOOL, operator), tests)


def opposite(test: Expression) -> Expression:
    """The opposite of a test, without `!` where there is an operator for it."""
    match test:
        case Unary(operator="!", operand=operand):
            return operand
        case Binary(operator="||" | "&&" as operator, left=left, right=right):
            other = "&&" if operator == "||" else "||"
            return Binary(BOOL, other, opposite(left), opposite(right))
        case Binary(operator=operator, left=left, right=right) if operator in OPPOSITE and (
            operator in ("==", "!=") or not _may_be_nan(left, right)
        ):
            return Binary(BOOL, OPPOSITE[operator], left, right)
        case _:
            return Unary(BOOL, "!", test)


def _may_be_nan(*operands: Expression) -> bool:
    return not all(isinstance(one.type, Scalar) and not one.type.is_float for one in operands)
