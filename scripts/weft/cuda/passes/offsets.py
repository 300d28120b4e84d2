"""Arithmetic of offsets: sums and products without what a person would not write."""

from __future__ import annotations

from weft.cuda.tree import INT, Binary, Call, Expression, Literal, Unary
from weft.types import Scalar, Type

SIZE = Scalar("size_t")
SIGNED_SIZE = Scalar("int64")


def plus(left: Expression, right: Expression) -> Expression:
    """`left + right` without zeros; a negative number is subtracted."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(INT, int(left.value) + int(right.value))
    if _is_number(left, 0):
        return right
    if _is_number(right, 0):
        return left
    kind = _wider(left.type, right.type)
    if isinstance(right, Literal) and isinstance(right.value, int) and right.value < 0:
        return Binary(kind, "-", left, Literal(INT, -right.value))
    if isinstance(right, Binary) and right.operator in ("+", "-") and right.type in (INT, SIZE, SIGNED_SIZE):
        return Binary(kind, right.operator, plus(left, right.left), right.right)
    return Binary(kind, "+", left, right)


def times(left: Expression, right: Expression) -> Expression:
    """`left * right` with known factors multiplied."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(INT, int(left.value) * int(right.value))
    if _is_number(left, 0) or _is_number(right, 0):
        return Literal(INT, 0)
    match left, right:
        case Binary(operator="*", right=Literal() as known), Literal():
            return Binary(left.type, "*", left.left, times(known, right))
        case _, Literal(value=1):
            return left
        case Literal(value=1), _:
            return right
        case Expression(type=Scalar(bytes=8)), Binary(type=kind, operator="*", left=first, right=second) if (
            kind == INT
        ):
            # An int may not hold a product of extents.
            return times(times(left, first), second)
        case _, Literal(value=-1):
            return Unary(left.type, "-", left)
        case _:
            return Binary(_wider(left.type, right.type), "*", left, right)


def widened(value: Expression, signed: bool = False) -> Expression:
    """`size_t(value)`, or `int64_t(value)`, for products that an int cannot hold."""
    if isinstance(value.type, Scalar) and value.type.bytes == 8:
        return value
    return Call(SIGNED_SIZE, "int64_t", [value]) if signed else Call(SIZE, "size_t", [value])


def _wider(left: Type, right: Type) -> Type:
    return right if left == INT else left


def _is_number(expression: Expression, value: int) -> bool:
    return isinstance(expression, Literal) and expression.value == value
