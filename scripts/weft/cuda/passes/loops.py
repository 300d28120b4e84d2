"""Pass: loops as C++ has them.

Before: Python's `for` over a range, whose bounds are computed once and whose variable may be assigned in the
body and read after the loop. After: a bound that the body could change, that is read from memory or that a
function computes has a name of its own; a loop whose variable lives on, or changes within, counts with
another one; a placeholder, `_` or `_step`, has a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.cuda.analysis.uses import live_after_loops, may_be_empty
from weft.cuda.contents import Contents, assigned_whole, changed_names
from weft.cuda.fresh_names import take_numbered
from weft.cuda.traverse import blocks, names_of, statements, walk
from weft.cuda.tree import Assign, Call, Element, Expression, For, Function, Name, Statement, Unpack
from weft.function_source import FunctionSource

_Naming = For | Unpack

PLACEHOLDER = "_"


def prepare_loops(found: Contents, source: FunctionSource) -> None:
    """Run the pass on one function, of which `found` is all.

    Raises KernelError for a loop that may leave its variable without a value where one is expected.
    """
    if not any(isinstance(statement, _Naming) for statement in found.statements):
        return
    function, taken = found.function, found.taken
    _name_placeholders(found, taken)
    live = live_after_loops(function.body)
    loops = [statement for statement in found.statements if isinstance(statement, For)]
    for loop in loops:
        if live[id(loop)] and may_be_empty(loop) and loop.name in _valued_before(function, loop, found):
            message = f"{loop.name!r} has no value in Warp after this loop if it does not run at all"
            raise source.refusal(loop.node or source.definition, f"{message}: count with another name")
    _keep_bounds(function.body, taken)
    _separate_variables(function.body, live, taken)


def _valued_before(function: Function, loop: For, found: Contents) -> set[str]:
    """The parameters, and the names that other statements than a loop's own give values."""
    inside = {id(statement) for statement in statements(loop.body)} | {id(loop)}
    others = [statement for statement in found.statements if id(statement) not in inside]
    names = {name for name, _ in function.parameters}
    names |= {statement.name for statement in others if isinstance(statement, For)}
    return names.union(*(assigned_whole(statement) for statement in others))


def _name_placeholders(found: Contents, taken: set[str]) -> None:
    """Loops and results that are counted but not looked at, as `_` or `_step` says: C++ wants names, and
    each only once.
    """
    for statement in found.statements:
        if isinstance(statement, For) and statement.name.startswith("_"):
            if statement.name not in found.mentioned:
                statement.name = take_numbered(statement.name.strip("_") or "iteration", taken)
        elif isinstance(statement, Unpack) and PLACEHOLDER not in found.mentioned:
            statement.names = [
                take_numbered("unused", taken) if name == PLACEHOLDER else name for name in statement.names
            ]


def _separate_variables(block: list[Statement], live: dict[int, bool], taken: set[str]) -> None:
    """Python's loop variable may be assigned without changing the iteration, and keeps its last value: give
    such a loop a variable of its own.
    """
    for statement in block:
        for inner in blocks(statement):
            _separate_variables(inner, live, taken)
        if not isinstance(statement, For):
            continue
        bounds = names_of(e for bound in _loop_bounds(statement) for e in walk(bound))
        name = statement.name
        if live[id(statement)] or name in bounds or name in changed_names(statement.body):
            own = take_numbered(f"{name}_iteration", taken)
            copy = Assign(Name(statement.type, name), "", Name(statement.type, own))
            statement.body.insert(0, copy)
            statement.name = own


def _loop_bounds(loop: For) -> Iterator[Expression]:
    yield loop.start
    yield loop.stop
    if loop.stride is not None:
        yield loop.stride


def _keep_bounds(block: list[Statement], taken: set[str]) -> None:
    """Compute the end and the step of a range once, before the loop, where the loop could change them."""
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            _keep_bounds(inner, taken)
        if isinstance(statement, For):
            changed = changed_names(statement.body) | {statement.name}
            for field, suffix in (("stop", "end"), ("stride", "step")):
                bound: Expression | None = getattr(statement, field)
                # A step stands three times in the loop's head.
                simple = field == "stop" or isinstance(bound, Name)
                if bound is not None and (not simple or _may_change(bound, changed)):
                    name = take_numbered(f"{statement.name}_{suffix}", taken)
                    kept = Assign(Name(statement.type, name), "", bound, node=statement.node)
                    setattr(statement, field, Name(statement.type, name))
                    block.insert(position, kept)
                    position += 1
        position += 1


def _may_change(bound: Expression, changed: set[str]) -> bool:
    return any(
        isinstance(node, Element)
        or (isinstance(node, Call) and bool(node.user or node.effect))
        or (isinstance(node, Name) and node.name in changed)
        for node in walk(bound)
    )
