"""Linear forms over opaque atoms: the little algebra behind the proofs of `bounds`."""

from __future__ import annotations

import dataclasses
import functools

from weft.cuda.traverse import children
from weft.cuda.tree import (
    Binary,
    Call,
    Cast,
    Component,
    Element,
    Expression,
    Extent,
    Literal,
    Member,
    Name,
    Unary,
)
from weft.types import Scalar

Key = str

_HASH_FACTOR = 1 << 16


def key_of(expression: Expression) -> Key:
    """A text that is equal for expressions that compute the same from the same variables."""
    match expression:
        case Literal(value=value):
            return repr(value)
        case Name(name=name):
            return name
        case Unary(operator=operator):
            head = operator
        case Binary(operator=operator):
            head = operator
        case Call(function=function):
            head = function
        case Cast(type=target):
            head = str(target)
        case Member(path=path):
            head = path
        case Component(member=member):
            head = member
        case Element():
            head = "[]"
        case Extent(axis=axis):
            head = f"shape{axis}"
        case _:
            head = expression.__class__.__name__
    return f"{head}({','.join(key_of(child) for child in children(expression))})"


def names_in(expression: Expression) -> frozenset[str]:
    """The variables that an expression reads."""
    if isinstance(expression, Name):
        return frozenset({expression.name})
    return frozenset().union(*(names_in(child) for child in children(expression)))


@dataclasses.dataclass(frozen=True)
class Linear:
    """`constant` + the sum of coefficient times atom; atoms are expressions, known by their key."""

    terms: dict[Key, tuple[int, Expression]]
    constant: int

    def __add__(self, other: Linear) -> Linear:
        return self.plus(other, 1)

    def __sub__(self, other: Linear) -> Linear:
        return self.plus(other, -1)

    def plus(self, other: Linear, factor: int) -> Linear:
        terms = dict(self.terms)
        for key, (coefficient, atom) in other.terms.items():
            total = terms.get(key, (0, atom))[0] + factor * coefficient
            terms[key] = (total, atom)
        kept = {key: value for key, value in terms.items() if value[0]}
        return Linear(kept, self.constant + factor * other.constant)

    def times(self, factor: int) -> Linear:
        return Linear({}, 0).plus(self, factor)

    @functools.cached_property
    def key(self) -> tuple[int, frozenset[tuple[Key, int]]]:
        """Equal for equal forms."""
        return self.constant, frozenset((key, coefficient) for key, (coefficient, _) in self.terms.items())

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The variables that the form is about."""
        return frozenset().union(*(names_in(atom) for _, atom in self.terms.values()))


def constant(value: int) -> Linear:
    """A linear form without atoms."""
    return Linear({}, value)


def linear(expression: Expression) -> Linear:
    """The linear form of an integer expression; what is not linear is an atom."""
    match expression:
        case Literal(value=bool()):
            return constant(int(expression.value))
        case Literal(value=int(value)):
            return constant(value)
        case Binary(operator="+", left=left, right=right) if _signed(expression):
            return linear(left) + linear(right)
        case Binary(operator="-", left=left, right=right) if _signed(expression):
            return linear(left) - linear(right)
        case Binary(operator="*", left=left, right=Literal(value=int(factor))) if _signed(
            expression
        ) and not hashes(expression):
            return linear(left).times(factor)
        case Binary(operator="*", left=Literal(value=int(factor)), right=right) if _signed(
            expression
        ) and not hashes(expression):
            return linear(right).times(factor)
        case Unary(operator="-", operand=operand) if _signed(expression):
            return linear(operand).times(-1)
        case _:
            return Linear({key_of(expression): (1, expression)}, 0)


def hashes(expression: Expression) -> bool:
    """Whether an integer is multiplied by so large a number that it is meant to wrap around, as in hash
    functions and random numbers.
    """
    if not isinstance(expression, Binary) or expression.operator != "*" or not _signed(expression):
        return False
    factors = [part.value for part in (expression.left, expression.right) if isinstance(part, Literal)]
    return any(isinstance(factor, int) and abs(factor) >= _HASH_FACTOR for factor in factors)


def _signed(expression: Expression) -> bool:
    return isinstance(expression.type, Scalar) and expression.type.is_signed and expression.type.bytes >= 4
