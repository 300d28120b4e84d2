"""Pass: a comment where the code does what a reader would not expect.

Before: `0 - x` stands for Python's -x wherever x may be zero, and threads count by an atomic on one address.
After: the first such statement of a function says why, and that nvcc aggregates the atomics of a warp.
"""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.contents import contents
from weft.cuda.passes.updates import is_uniform
from weft.cuda.traverse import above, blocks, own_nodes
from weft.cuda.tree import INT, Binary, Call, Expression, Function, If, Literal, Remark, Statement

_NEGATION = "Warp negates by 0 - x, so that 0 becomes +0; -x would give -0."
_COUNTER = "nvcc makes one atomic for the threads of a warp that get here together."


def explain(function: Function) -> None:
    """Run the pass on one function."""
    found = contents(function)
    changed = found.assigned

    def counts(node: Expression) -> bool:
        match node:
            case Call(function="atomicAdd", type=kind, arguments=[_, Literal()]):
                return kind == INT and function.kernel and is_uniform(node, changed)
            case _:
                return False

    for wanted, text in ((_negates, _NEGATION), (counts, _COUNTER)):
        if any(map(wanted, found.nodes)):
            _insert(function.body, wanted, text)


def _negates(node: Expression) -> bool:
    return isinstance(node, Binary) and node.negates


def _insert(block: list[Statement], wanted: Callable[[Expression], bool], text: str) -> bool:
    for position, statement in enumerate(block):
        if any(map(wanted, own_nodes(statement))):
            block.insert(above(block, position), Remark(text))
            return True
        # What one thread does needs no word.
        alone = isinstance(statement, If) and statement.divergent
        if not alone and any(_insert(inner, wanted, text) for inner in blocks(statement)):
            return True
    return False
