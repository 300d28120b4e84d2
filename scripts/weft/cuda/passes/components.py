"""Pass: a loop over the components of vectors is written out.

Before: `for (int c = 0; c < 3; ++c) component_ref(v, c) = f(component(v, c));`, where conditions on `c` find
each component. After: a line each for `v.x`, `v.y` and `v.z`.
"""

from __future__ import annotations

import dataclasses

from weft.cuda.c_types import component_names
from weft.cuda.traverse import all_blocks, all_expressions, clone, is_name, rewrite
from weft.cuda.tree import Assign, Call, Expression, For, Function, Literal, Member, Name, Statement

_LONGEST = 4
"""The most components whose names are letters."""

_LINES = 8
"""The most lines that a loop becomes."""


def write_out_components(function: Function) -> None:
    """Run the pass on one function."""
    for block in all_blocks(function.body):
        block[:] = [line for one in block for line in _lines(one)]


def _lines(statement: Statement) -> list[Statement]:
    """What stands for a statement."""
    match statement:
        case For(start=Literal(value=0), stop=Literal(value=int(count)), step=1, stride=None, trailing=""):
            assigns = [one for one in statement.body if isinstance(one, Assign) and not one.cyclic]
            short = count <= _LONGEST and count * len(assigns) <= _LINES
            if not short or len(assigns) < len(statement.body) or not _counts_components(statement, count):
                return [statement]
            return [
                dataclasses.replace(
                    one,
                    target=_with_number(one.target, statement.name, number),
                    value=_with_number(one.value, statement.name, number),
                )
                for number in range(count)
                for one in assigns
            ]
        case _:
            return [statement]


def _counts_components(loop: For, count: int) -> bool:
    """Whether a loop's variable tells nothing but components of vectors that have so many."""
    nodes = all_expressions(loop.body)
    mentions = sum(is_name(one, loop.name) for one in nodes)
    vectors = [vector for one in nodes if (vector := _vector(one, loop.name)) is not None]
    return 0 < mentions == len(vectors) and all(len(component_names(one.type)) == count for one in vectors)


def _vector(node: Expression, name: str) -> Expression | None:
    """The vector whose component a variable tells."""
    match node:
        case Call(function="component" | "component_ref", arguments=[vector, Name(name=index)]):
            return vector if index == name else None
        case _:
            return None


def _with_number(expression: Expression, name: str, number: int) -> Expression:
    def change(node: Expression) -> Expression:
        if (vector := _vector(node, name)) is None:
            return node
        return Member(node.type, vector, component_names(vector.type)[number])

    return rewrite(clone(expression), change)
