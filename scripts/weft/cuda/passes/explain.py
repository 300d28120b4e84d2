"""Pass: a comment where the code does what a reader would not expect.

Before: `0 - x` stands for Python's -x wherever x may be zero. After: the first such statement of a function
says why.
"""

from __future__ import annotations

from weft.cuda.traverse import above, all_expressions, blocks, own_nodes
from weft.cuda.tree import Binary, Expression, Function, Remark, Statement

_NEGATION = "Warp negates by 0 - x, so that 0 becomes +0; -x would give -0."


def explain_negation(function: Function) -> None:
    """Run the pass on one function."""
    if _negates(all_expressions(function.body)):
        _insert(function.body)


def _negates(nodes: list[Expression]) -> bool:
    return any(isinstance(node, Binary) and node.negates for node in nodes)


def _insert(block: list[Statement]) -> bool:
    for position, statement in enumerate(block):
        if _negates(own_nodes(statement)):
            block.insert(above(block, position), Remark(_NEGATION))
            return True
        if any(_insert(inner) for inner in blocks(statement)):
            return True
    return False
