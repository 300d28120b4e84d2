"""Pass: the largest and the least int have C's names.

Before: `int smallest = 2147483647;`. After: `int smallest = INT_MAX;`.
"""

from __future__ import annotations

from weft.cuda.c_types import LIMITS
from weft.cuda.traverse import rewrite_block
from weft.cuda.tree import INT, Expression, Function, Literal, Name

_NAMES = dict(zip((-(2**31), 2**31 - 1), LIMITS["int32"], strict=True))


def name_limits(function: Function) -> None:
    """Run the pass on one function. What the source writes in another way than as a number stays."""
    rewrite_block(function.body, _named)


def _named(node: Expression) -> Expression:
    match node:
        case Literal(value=int(value), spelling="") if node.type == INT and value in _NAMES:
            return Name(INT, _NAMES[value])
        case _:
            return node
