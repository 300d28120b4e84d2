"""Linear forms over opaque atoms: the little algebra behind the analyzer."""

from __future__ import annotations

from collections.abc import Callable

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
    """The variables that an expression reads; for elements that it reads, `elements_of` their arrays, too."""
    if isinstance(expression, Name):
        return frozenset({expression.name})
    nodes = walk(expression)
    names = [node.name for node in nodes if isinstance(node, Name)]
    arrays = [node.array for node in nodes if isinstance(node, Element)]
    return frozenset([*names, *(elements_of(array.name) for array in arrays if isinstance(array, Name))])


def elements_of(array: str) -> str:
    """The name of all elements of an array, which change while its extents stay."""
    return f"{array}[]"


class Linear:
    """A linear form: `constant` plus the sum of coefficient times atom. Atoms are expressions, known by their
    key. Forms do not change, so `key` and `names` are computed once, on first use.
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

    def is_atom(self, expression: Expression) -> bool:
        """Whether the form is nothing but this expression."""
        pairs = [*self.terms.values()]
        return not self.constant and len(pairs) == 1 and pairs[0][1] is expression and pairs[0][0] == 1

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


def atom(expression: Expression) -> Linear:
    """The linear form that is nothing but this expression."""
    return Linear({key_of(expression): (1, expression)}, 0)


def linear(expression: Expression) -> Linear:
    """The linear form of a size, which is a number without limits. What is not linear is an atom. For the
    kernel's own integers, which wrap around, ask the analyzer.
    """
    return combined(expression, linear)


def combined(expression: Expression, part: Callable[[Expression], Linear]) -> Linear:
    """The linear form of an operation, from the forms that `part` gives of its operands. Without limits it is
    exact. Where integers wrap around at some number, it is right up to multiples of that number.
    """
    match expression:
        case Literal(value=int(value)):
            return constant(int(value))
        case Binary(operator="+", left=left, right=right) if is_integer(expression):
            return part(left) + part(right)
        case Binary(operator="-", left=left, right=right) if is_integer(expression):
            return part(left) - part(right)
        case Binary(operator="*", left=left, right=right) if is_integer(expression):
            first, second = part(left), part(right)
            if not second.terms:
                return first.times(second.constant)
            return second.times(first.constant) if not first.terms else atom(expression)
        case Unary(operator="-", operand=operand) if is_integer(expression):
            return part(operand).times(-1)
        case _:
            return atom(expression)


def is_integer(expression: Expression) -> bool:
    """Whether the value is an integer."""
    return isinstance(expression.type, Scalar) and expression.type.is_integer
