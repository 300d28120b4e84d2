"""Pass: loops as C++ has them.

Before: Python's `for` over a range, whose end is computed once and whose variable may be assigned in the
body. After: an end that the body could change, or that is read from memory, has a name of its own; a loop
whose body assigns its variable counts with another one. No loop variable is read after its loop.
"""

from __future__ import annotations

from weft.cuda.source import FunctionSource
from weft.cuda.traverse import assigned_names, blocks, changed_names, expressions, statements, walk
from weft.cuda.tree import Assign, Element, Expression, For, Function, Name, Statement


def prepare_loops(function: Function, source: FunctionSource) -> None:
    """Run the pass on one function. Refuses loop variables that are read after their loop."""
    taken = assigned_names(function.body) | {name for name, _ in function.parameters}
    _keep_ends(function.body, taken)
    _separate_variables(function.body)
    _check_variables(function, source)


def _separate_variables(block: list[Statement]) -> None:
    """Python's loop variable may be assigned without changing the iteration: give the loop a variable of its
    own.
    """
    for statement in block:
        for inner in blocks(statement):
            _separate_variables(inner)
        if isinstance(statement, For) and statement.name in changed_names(statement.body):
            own = f"{statement.name}_iteration"
            copy = Assign(Name(statement.type, statement.name), "", Name(statement.type, own))
            statement.body.insert(0, copy)
            statement.name = own


def _keep_ends(block: list[Statement], taken: set[str]) -> None:
    """Compute the end of a range once, before the loop, where the loop could change it."""
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            _keep_ends(inner, taken)
        if isinstance(statement, For) and _may_change(statement.stop, changed_names(statement.body)):
            name = f"{statement.name}_end"
            while name in taken:
                name += "_"
            taken.add(name)
            end = Assign(Name(statement.type, name), "", statement.stop, node=statement.node)
            statement.stop = Name(statement.type, name)
            block.insert(position, end)
            position += 1
        position += 1


def _may_change(end: Expression, changed: set[str]) -> bool:
    return any(
        isinstance(node, Element) or (isinstance(node, Name) and node.name in changed) for node in walk(end)
    )


def _check_variables(function: Function, source: FunctionSource) -> None:
    """Refuse reads of a loop variable after its loop: C++ has none there, Warp its last value."""
    loops = {statement.name for statement in statements(function.body) if isinstance(statement, For)}

    def check(block: list[Statement], bound: frozenset[str], ended: set[str]) -> None:
        for statement in block:
            inner = bound | {statement.name} if isinstance(statement, For) else bound
            for root in expressions(statement):
                for node in walk(root):
                    if isinstance(node, Name) and node.name in ended - bound:
                        raise source.refusal(
                            statement.node or source.definition,
                            f"the loop variable {node.name!r} is read after its loop: copy it in the loop",
                        )
            if (
                isinstance(statement, Assign)
                and not statement.operator
                and isinstance(statement.target, Name)
            ):
                ended.discard(statement.target.name)
            for part in blocks(statement):
                check(part, inner, ended)
            if isinstance(statement, For):
                ended.add(statement.name)

    if loops:
        check(function.body, frozenset(), set())
