"""Analysis: which loop variables are read after their loop."""

from __future__ import annotations

from weft.cuda.contents import assigned_whole
from weft.cuda.traverse import expressions, walk
from weft.cuda.tree import (
    Assign,
    Binary,
    Declare,
    Expression,
    For,
    If,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
    While,
)

Names = frozenset[str]


def live_after_loops(body: list[Statement]) -> dict[int, bool]:
    """For each loop over a range in a function's body, by its id: whether its variable is read after it."""
    found: dict[int, bool] = {}
    _block(body, frozenset(), {}, found)
    return found


def may_be_empty(loop: For) -> bool:
    """Whether a range is not known to have a first number."""
    if loop.step == 0:
        return True
    match loop.start, loop.stop:
        case Literal(value=int(start)), Literal(value=int(stop)):
            return not (start < stop if loop.step > 0 else start > stop)
        case Name(name=first), Binary(operator="+", left=Name(name=second), right=Literal(value=int(count))):
            return first != second or count < 1 or loop.step < 1
    return True


def _block(block: list[Statement], after: Names, jumps: dict[str, Names], found: dict[int, bool]) -> Names:
    """The names that are live before a block; `jumps` has those that are live where a jump lands."""
    for statement in reversed(block):
        after = _statement(statement, after, jumps, found)
    return after


def _statement(statement: Statement, after: Names, jumps: dict[str, Names], found: dict[int, bool]) -> Names:
    match statement:
        case Jump(keyword=keyword):
            return jumps[keyword]
        case Return():
            return _reads(expressions(statement))
        case If(test=test, body=body, otherwise=otherwise):
            return _reads([test]) | _block(body, after, jumps, found) | _block(otherwise, after, jumps, found)
        case For(name=name, body=body):
            found[id(statement)] = found.get(id(statement), False) or name in after
            head = _loop(body, after, frozenset({name}), frozenset(), found)
            always = frozenset() if may_be_empty(statement) else frozenset({name})
            return (head - always) | _reads(expressions(statement))
        case While(test=test, body=body):
            return _loop(body, after, frozenset(), _reads([test]), found)
        case Declare(name=name):
            return (after - {name}) | _reads(expressions(statement))
        case _:
            return (after - frozenset(assigned_whole(statement))) | _reads(_read_by(statement))


def _loop(
    body: list[Statement], after: Names, assigned: Names, tested: Names, found: dict[int, bool]
) -> Names:
    """The names that are live at the head of a loop."""
    head = after | tested
    while True:
        start = _block(body, head, {"break": after, "continue": head}, found)
        larger = head | (start - assigned)
        if larger == head:
            return head
        head = larger


def _read_by(statement: Statement) -> list[Expression]:
    """The expressions that a simple statement reads."""
    plain = isinstance(statement, Assign) and isinstance(statement.target, Name) and not statement.operator
    return [statement.value] if plain and isinstance(statement, Assign) else expressions(statement)


def _reads(roots: list[Expression]) -> Names:
    return frozenset(node.name for root in roots for node in walk(root) if isinstance(node, Name))
