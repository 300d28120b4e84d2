"""Known values in the tree: literals of the type that is wanted, zeros, vectors and structs of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.cuda.c_types import HALVES
from weft.cuda.traverse import clone
from weft.cuda.tree import BOOL, INT, Binary, Cast, Component, Construct, Expression, Literal, Member
from weft.types import Array, Matrix, Scalar, Struct, Structs, Type, component_scalars


def convert_literal(value: bool | int | float, type: Scalar) -> bool | int | float | None:
    """A known value as Warp converts it; None where the result is not defined."""
    if type == BOOL:
        return bool(value)
    if type.is_float:
        return float(value)
    if value != value or value in (float("inf"), float("-inf")):
        return None
    whole = int(value)
    bits = 8 * type.bytes
    low, high = (0, 2**bits) if type.is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    if isinstance(value, float) and not low <= whole < high:
        return None
    wrapped: int = (whole - low) % 2**bits + low
    return wrapped


def coerce(expression: Expression, type: Type) -> Expression:
    """A literal takes the type that is wanted; anything else stays."""
    if not isinstance(expression, Literal) or not isinstance(type, Scalar) or expression.type == type:
        return expression
    if isinstance(expression.value, str):
        return expression
    converted = convert_literal(expression.value, type)
    exact = converted is not None and converted == expression.value
    return Literal(type, converted, expression.spelling) if exact and converted is not None else expression


def is_zero(expression: Expression | None) -> bool:
    """Whether this is the number 0, of floats not -0."""
    return isinstance(expression, Literal) and repr(expression.value) in ("0", "0.0")


def comparable(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """The operands of a comparison as C++ converts them: an integer literal takes the other's type.

    A float literal stays: Warp compares a float64 with the literal rounded to float32. A half is compared
    with other types as float.
    """
    if isinstance(left, Literal) != isinstance(right, Literal):
        if isinstance(left, Literal) and isinstance(left.value, int):
            left = coerce(left, right.type)
        elif isinstance(right, Literal) and isinstance(right.value, int):
            right = coerce(right, left.type)
    if left.type != right.type:
        left, right = widened(left), widened(right)
    return left, right


def widened(value: Expression) -> Expression:
    """A half converted to float, since CUDA's halves have no operators with other types; anything else
    unchanged.
    """
    return Cast(Scalar("float32"), value) if str(value.type) in HALVES else value


def compare(operators: Sequence[str], operands: Sequence[Expression]) -> Expression:
    """`a < b`, or a chain `a < b < c`, whose middle stands twice."""
    result: Expression | None = None
    for operator, left, right in zip(operators, operands[:-1], operands[1:], strict=True):
        left, right = comparable(left, right)
        one = Binary(BOOL, operator, left, clone(right))
        result = one if result is None else Binary(BOOL, "&&", result, one)
    assert result is not None
    return result


def zero(type: Type) -> Expression:
    """The zero of a type: of an array, no array."""
    match type:
        case Scalar():
            return Literal(type, 0)
        case Struct() | Array():
            return Construct(type, [])
        case _:
            scalars = list(component_scalars(type, {}))
            if len(scalars) > 4:
                return Construct(type, [])
            return Construct(type, [Literal(scalar, 0) for scalar in scalars])


def compound_literal(type: Type, components: Sequence[Any], structs: Structs) -> Expression:
    """A vector, matrix, quaternion or struct from its packed components."""
    values = [float(value) if isinstance(value, str) else value for value in components]

    def take(type: Type, values: list[Any]) -> Expression:
        match type:
            case Scalar():
                return Literal(type, values.pop(0))
            case Struct(name=name):
                return Construct(type, [take(field, values) for _, field in structs[name]])
            case _:
                return Construct(
                    type, [Literal(scalar, values.pop(0)) for scalar in component_scalars(type, structs)]
                )

    return take(type, values)


def component_place(matrix: Expression, indices: Sequence[Expression]) -> Expression:
    """An element of a matrix; literal indices lie within it, or count from its end."""
    kind = matrix.type
    assert isinstance(kind, Matrix)
    places = [
        Literal(INT, index.value % size)
        if isinstance(index, Literal) and isinstance(index.value, int)
        else index
        for index, size in zip(indices, (kind.rows, kind.columns), strict=True)
    ]
    if all(isinstance(place, Literal) for place in places):
        path = "".join(f"[{place.value}]" for place in places if isinstance(place, Literal))
        return Member(kind.scalar, matrix, f".m{path}")
    return Component(kind.scalar, matrix, ".m", places)
