"""Pass: remove computations whose result nobody uses.

Before: assignments as in Python, or coordinates of the thread that a kernel has no use for. After: no
statement gives a value to a variable that is not read behind it, none that all branches of the next one
replace, and no branch or loop over a range is empty. A call with a side effect is made all the same.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from weft.cuda.analysis.uses import Uses
from weft.cuda.contents import Contents, assigned_whole, contents, root_name
from weft.cuda.passes.effects import has_effect
from weft.cuda.traverse import above, all_blocks, blocks, expressions, own_nodes, statements
from weft.cuda.tree import (
    Assign,
    Call,
    Declare,
    Evaluate,
    Expression,
    For,
    If,
    Jump,
    Name,
    Remark,
    Return,
    Shared,
    Statement,
    Unpack,
    While,
)
from weft.types import Reference, Tile

_Storing = Assign | Unpack


def drop_unused(found: Contents) -> Contents:
    """Run the pass on one function with the contents `found`; returns its contents after it."""
    if _drop_overwritten(found):
        found = contents(found.function)
    # What is stored in a reference, the caller reads; in a tile, other threads.
    outside = {name for name, kind in found.function.parameters if isinstance(kind, Reference | Tile)}
    outside |= {statement.name for statement in found.statements if isinstance(statement, Shared)}
    if not _sweep(found.function.body, outside):
        return found
    while _sweep(found.function.body, outside):
        pass
    return contents(found.function)


def _drop_overwritten(found: Contents) -> bool:
    """Drop values that every branch of the next statement on a variable replaces; whether there were any."""
    body = found.function.body
    if not any(isinstance(one, If) and one.otherwise for one in found.statements):
        return False
    uses = Uses(body)
    fixed = {name for name, _ in found.function.parameters}
    dropped = False
    for block in all_blocks(body):
        places = [
            at for at, one in enumerate(block) if _is_value(one, fixed) and _is_replaced(block, at, uses)
        ]
        for at in reversed(places):
            drop_statement(block, at)
            dropped = True
    return dropped


def _is_value(statement: Statement, fixed: set[str]) -> bool:
    match statement:
        case Assign(target=Name(name=name), operator="", value=value):
            return name not in fixed and not has_effect(value)
        case _:
            return False


def _is_replaced(block: list[Statement], position: int, uses: Uses) -> bool:
    """Whether every branch of the next statement on a variable gives it another value, and it is reached."""
    (name,) = assigned_whole(block[position])
    after = next((at for at in uses.positions(block, name) if at > position), None)
    if after is None or not isinstance(block[after], If):
        return False
    leaves = any(isinstance(one, Jump | Return) for one in statements(block[position : after + 1]))
    return not leaves and name in uses.overwritten(block[after])


def _reads(statement: Statement) -> list[str]:
    """The names that a statement itself reads, but for the variable that it alone changes."""
    names = [node.name for node in own_nodes(statement) if isinstance(node, Name)]
    if not isinstance(statement, Assign) or (changed := root_name(statement.target)) is None:
        return names
    if not has_effect(statement.value):
        return [name for name in names if name != changed]
    names.remove(changed)
    return names


def _sweep(block: list[Statement], later: AbstractSet[str]) -> bool:
    """Drop statements, from the last one on; whether there were any. What comes behind the block reads the
    names `later`.
    """
    dropped, read_later = False, set(later)
    position = len(block)
    # With the last statement of a block, the comment above it goes, too.
    while position := min(position, len(block)):
        position -= 1
        statement = block[position]
        # A loop comes back to its start.
        again = _read_in(statement) if isinstance(statement, For | While) else set()
        for inner in blocks(statement):
            dropped |= _sweep(inner, read_later | again)
        if _is_unused(statement, read_later):
            dropped = True
            if call := _call(statement):
                block[position] = Evaluate(call, node=statement.node)
            else:
                drop_statement(block, position)
                continue
        read_later |= _read_in(block[position])
    return dropped


def _read_in(statement: Statement) -> set[str]:
    """The names that a statement reads, with all in it."""
    return {name for one in statements([statement]) for name in _reads(one)}


def _is_unused(statement: Statement, later: AbstractSet[str]) -> bool:
    match statement:
        case Assign(target=target, value=value):
            name = root_name(target)
            unused = name is not None and name not in later
            return unused and not has_effect(target) and (not has_effect(value) or bool(_call(statement)))
        case Unpack(names=names):
            return later.isdisjoint(filter(None, names))
        case Declare(name=name) | For(name=name, body=[]):
            return name not in later and not any(map(has_effect, expressions(statement)))
        case If(body=[], otherwise=[]):
            return not any(map(has_effect, expressions(statement)))
        case _:
            return False


def _call(statement: Statement) -> Expression | None:
    """The call with a side effect whose results the statement stores."""
    if isinstance(statement, _Storing) and isinstance(statement.value, Call) and has_effect(statement.value):
        return statement.value
    return None


def drop_statement(block: list[Statement], position: int) -> None:
    """Drop a statement, and the comment on it unless that may be on what comes next, too."""
    del block[position]
    if position == len(block) or isinstance(block[position], Remark):
        del block[above(block, position) : position]
