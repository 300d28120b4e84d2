"""Pass: a compound assignment, where a place takes its own value with something done to it.

Before: `power = power * x`. After: `power *= x`. Smaller numbers keep the long form: C++ computes them as
int. So do products of matrices, where the order of the factors matters.
"""

from __future__ import annotations

from weft.cuda.helpers.text import scalar_of
from weft.cuda.traverse import statements, walk
from weft.cuda.tree import Assign, Binary, Call, Function
from weft.types import Matrix, Quaternion, Scalar, Type, Vector

_OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_TYPES = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def use_compound_assignments(function: Function) -> None:
    """Run the pass on one function."""
    for statement in statements(function.body):
        match statement:
            case Assign(
                operator="",
                target=target,
                value=Binary(operator=operator, left=left, right=right) as value,
            ) if (
                left == target
                and _is_compound(operator, target.type, right.type)
                and not value.negates
                and not any(isinstance(node, Call) for node in walk(target))
            ):
                statement.operator, statement.value = operator, right


def _is_compound(operator: str, type: Type, right: Type) -> bool:
    """Whether there is an operator that changes a value of a type by one of another."""
    if isinstance(type, Scalar):
        fits = right == type or operator in ("<<", ">>")
        return operator in _OPERATORS and type.name in _TYPES and fits
    if not isinstance(type, Vector | Matrix | Quaternion) or scalar_of(type).name not in _TYPES:
        return False
    return operator in ("*", "/") if isinstance(right, Scalar) else operator in ("+", "-")
