"""Pass: a comment where the code does what a reader would not expect.

Before: `0 - x` stands for Python's -x wherever x may be zero. After: the first such statement of a function
says why.
"""

from __future__ import annotations

from weft.cuda.traverse import blocks, expressions, walk
from weft.cuda.tree import Binary, Function, Remark, Statement

_NEGATION = "0 - x rather than -x: the negative of zero is zero, not negative zero."


def explain_negation(function: Function) -> None:
    """Run the pass on one function."""
    _insert(function.body)


def _insert(block: list[Statement]) -> bool:
    for position, statement in enumerate(block):
        if any(isinstance(e, Binary) and e.negates for root in expressions(statement) for e in walk(root)):
            while position and isinstance(before := block[position - 1], Remark) and before.text:
                position -= 1
            block.insert(position, Remark(_NEGATION))
            return True
        if any(_insert(inner) for inner in blocks(statement)):
            return True
    return False
