"""Pass: where a thread asks how many before it have a flag, ballots count.

Before: the exclusive sum of what threads have is a scan by shuffles. After: where that is 0 or 1, each thread
counts the bits of the lanes before it, and of the warps before its own (Luitjens, "Warp-Aggregated Atomics").
"""

from __future__ import annotations

import itertools

from weft.cuda.contents import changed_in, contents
from weft.cuda.traverse import blocks, nodes_of, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Conditional,
    Expression,
    Function,
    Literal,
    Name,
    Statement,
)


def count_flags(function: Function) -> None:
    """Run the pass on a function."""
    flags: set[str] | None = None
    for block in [function.body, *(inner for s in statements(function.body) for inner in blocks(s))]:
        for scan, step in itertools.pairwise([*block]):
            match scan, step:
                case (
                    Assign(
                        target=Name(name=scanned, type=kind),
                        operator="",
                        value=Call(
                            function="block_scan_sum" | "warp_scan_sum" as helper, arguments=[Name() as flag]
                        ) as call,
                    ),
                    Assign(
                        operator="",
                        value=Binary(operator="-", left=Name(name=total), right=Name(name=own)),
                    ),
                ) if kind == INT and (total, own) == (scanned, flag.name) and _uses(function, scanned) == 2:
                    flags = _flags(function) if flags is None else flags
                    if flag.name in flags:
                        name = helper.replace("scan_sum", "rank")
                        is_set = Binary(BOOL, "==", flag, Literal(INT, 1))
                        step.value = Call(INT, name, [is_set], (name, ()), call.effect, "rank")
                        block[:] = [one for one in block if one is not scan]
                case _:
                    pass


def _uses(function: Function, name: str) -> int:
    return sum(isinstance(node, Name) and node.name == name for node in contents(function).nodes)


def _flags(function: Function) -> set[str]:
    """The variables that are 0 or 1 wherever they have a value."""
    whole = contents(function)
    given: dict[str, list[Expression | None]] = {}
    for statement in whole.statements:
        if isinstance(statement, Assign) and isinstance(statement.target, Name):
            plain = statement.value if not statement.operator else None
            given.setdefault(statement.target.name, []).append(plain)
    others = {name for name, _ in function.parameters} | _changed_otherwise(whole.statements)
    flags = set(given) - others
    while True:
        left = {name for name in flags if all(_is_flag(value, flags) for value in given[name])}
        if left == flags:
            return flags
        flags = left


def _changed_otherwise(found: list[Statement]) -> set[str]:
    """Names that something else than an assignment of the whole variable changes."""
    rest = [one for one in found if not (isinstance(one, Assign) and isinstance(one.target, Name))]
    return changed_in(rest, nodes_of(found))


def _is_flag(value: Expression | None, flags: set[str]) -> bool:
    match value:
        case Literal(value=0 | 1):
            return True
        case Name(name=name):
            return name in flags
        case Conditional(then=then, otherwise=otherwise):
            return _is_flag(then, flags) and _is_flag(otherwise, flags)
        case _:
            return False
