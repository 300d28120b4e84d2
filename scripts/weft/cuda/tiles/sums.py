"""Pass: several sums of a block in one reduction.

Before: each sum of the block's threads is a call of its own, with a barrier of its own. After: sums of which
none needs another are the components of one vector, and the threads meet once.
"""

from __future__ import annotations

from weft.cuda.contents import changed_in_block, contents, mentioned_names
from weft.cuda.tiles.accesses import is_collective
from weft.cuda.tiles.loops import LoopNames
from weft.cuda.traverse import all_blocks, clone, names_of, walk
from weft.cuda.tree import (
    FLOAT,
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Construct,
    Function,
    Literal,
    Member,
    Name,
    Share,
    Statement,
    Unary,
)
from weft.intrinsics import Effect
from weft.types import Scalar, Vector

_KINDS = (FLOAT, INT, Scalar("float64"))
_MOST = 4
"""The components of the longest vector of CUDA."""


def sum_together(function: Function) -> None:
    """Run the pass on a function."""
    for block in all_blocks(function.body):
        position = 0
        while position < len(block):
            _join(function, block, position)
            position += 1


def _join(function: Function, block: list[Statement], position: int) -> None:
    """Join a sum with those after it that could as well be taken at once."""
    sums, late = _together(block[position:])
    if len(sums) < 2:
        return
    calls = [call for at in sums if (call := _sum(block[position + at])) is not None]
    kind = Vector(len(sums), calls[0].type)  # type: ignore[arg-type]
    whole = Name(kind, LoopNames(contents(function).taken).fresh("totals"))
    given = Construct(kind, [call.arguments[0] for call in calls])
    total = Call(kind, calls[0].function, [given], (calls[0].function, (kind,)), Effect.COLLECTIVE, "total")
    span = block[position : position + sums[-1] + 1]
    results = [
        Assign(span[at].target, "", Member(kind.scalar, whole, f".{component}"))  # type: ignore[attr-defined]
        for at, component in zip(sums, "xyzw", strict=False)
    ]
    before = [one for at, one in enumerate(span) if at not in sums and at not in late]
    after = [span[at] for at in late if at < len(span)]
    block[position : position + len(span)] = [*before, Assign(clone(whole), "", total), *results, *after]


def _together(block: list[Statement]) -> tuple[list[int], list[int]]:
    """Where the first sum of a block is and those are that it can wait for; and where, among these, what is
    computed of their results.
    """
    first = _sum(block[0])
    if first is None:
        return [], []
    sums, late, results, parts = [0], list[int](), {_target(block[0])}, mentioned_names([block[0]])
    for at, one in enumerate(block[1:], 1):
        call, names = _sum(one), mentioned_names([one])
        if names & results and _is_computed(one):
            late.append(at)
            results.add(_target(one))
            parts |= names
        elif names & results or changed_in_block([one]) & parts:
            break
        elif call is not None and call.function == first.function and call.type == first.type:
            sums.append(at)
            results.add(_target(one))
            parts |= names
            if len(sums) == _MOST:
                break
        elif not isinstance(one, Share) and (not isinstance(one, Assign) or is_collective([one], ())):
            break
    return sums, late


def _sum(statement: Statement) -> Call | None:
    """The sum of the block's threads that a statement gives a variable."""
    match statement:
        case Assign(target=Name(), operator="", value=Call(function="block_sum", type=kind) as call):
            return call if kind in _KINDS else None
        case _:
            return None


def _is_computed(statement: Statement) -> bool:
    """Whether a statement gives a variable what is computed of variables alone."""
    match statement:
        case Assign(target=Name(name=name), operator="", value=value):
            nodes = walk(value)
            calls = [node for node in nodes if isinstance(node, Call)]
            plain = all(isinstance(node, Name | Literal | Binary | Unary | Cast | Call) for node in nodes)
            given = names_of(nodes)
            return plain and name not in given and not any(call.effect or call.user for call in calls)
        case _:
            return False


def _target(statement: Statement) -> str:
    assert isinstance(statement, Assign) and isinstance(statement.target, Name)
    return statement.target.name
