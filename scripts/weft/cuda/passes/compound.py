"""Pass: a compound assignment, where a place takes its own value with something done to it.

Before: `power = power * x`. After: `power *= x`. Smaller numbers keep the long form: C++ computes them as
int.
"""

from __future__ import annotations

from weft.cuda.traverse import statements, walk
from weft.cuda.tree import Assign, Binary, Call, Function
from weft.types import Scalar

_OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_TYPES = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def use_compound_assignments(function: Function) -> None:
    """Run the pass on one function."""
    for statement in statements(function.body):
        match statement:
            case Assign(
                operator="",
                target=target,
                value=Binary(type=Scalar(name=kind), operator=operator, left=left, right=right) as value,
            ) if (
                operator in _OPERATORS
                and kind in _TYPES
                and left == target
                and right.type == target.type
                and not value.negates
                and not any(isinstance(node, Call) for node in walk(target))
            ):
                statement.operator, statement.value = operator, right
            case _:
                pass
