"""Linear forms over opaque atoms: the little algebra behind the proofs of `bounds`."""

from __future__ import annotations

from weft.cuda.traverse import children, walk
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
FormKey = tuple[int, frozenset[tuple[Key, int]]]

_HASH_FACTOR = 1 << 16


def key_of(expression: Expression) -> Key:
    """A text that is equal for expressions that compute the same from the same variables."""
    match expression:
        case Name(name=name):
            return name
        case Literal(value=value):
            return repr(value)
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
    return f"{head}({','.join([key_of(child) for child in children(expression)])})"


def names_in(expression: Expression) -> frozenset[str]:
    """The variables that an expression reads."""
    if isinstance(expression, Name):
        return frozenset({expression.name})
    return frozenset([node.name for node in walk(expression) if isinstance(node, Name)])


class Linear:
    """`constant` + the sum of coefficient times atom; atoms are expressions, known by their key. No form
    changes: `key` and `names` are computed once, when they are first asked for.
    """

    __slots__ = ("_key", "_names", "constant", "terms")

    def __init__(self, terms: dict[Key, tuple[int, Expression]], constant: int) -> None:
        self.terms = terms
        self.constant = constant
        self._key: FormKey | None = None
        self._names: frozenset[str] | None = None

    def __add__(self, other: Linear) -> Linear:
        return self.plus(other, 1)

    def __sub__(self, other: Linear) -> Linear:
        return self.plus(other, -1)

    def plus(self, other: Linear, factor: int) -> Linear:
        terms = self.terms.copy()
        for key, (coefficient, atom) in other.terms.items():
            before = terms.get(key)
            total = factor * coefficient if before is None else before[0] + factor * coefficient
            if total:
                terms[key] = (total, atom)
            elif before is not None:
                del terms[key]
        return Linear(terms, self.constant + factor * other.constant)

    def times(self, factor: int) -> Linear:
        if not factor:
            return Linear({}, 0)
        return Linear(
            {key: (factor * c, atom) for key, (c, atom) in self.terms.items()}, factor * self.constant
        )

    @property
    def key(self) -> FormKey:
        """Equal for equal forms."""
        if self._key is None:
            pairs = [(key, coefficient) for key, (coefficient, _) in self.terms.items()]
            self._key = (self.constant, frozenset(pairs))
        return self._key

    @property
    def names(self) -> frozenset[str]:
        """The variables that the form is about."""
        if self._names is None:
            self._names = frozenset().union(*[names_in(atom) for _, atom in self.terms.values()])
        return self._names


def constant(value: int) -> Linear:
    """A linear form without atoms."""
    return Linear({}, value)


def linear(expression: Expression) -> Linear:
    """The linear form of an integer expression; what is not linear is an atom."""
    match expression:
        case Name(name=name):
            return Linear({name: (1, expression)}, 0)
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
