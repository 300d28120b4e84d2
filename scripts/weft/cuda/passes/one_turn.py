"""Pass: a thread for each turn of a loop, where a thread would take several that are independent.

Before: a thread takes a row of elements, or a few neighbours, one after the other, so that the threads of a
warp are far apart in memory. After: the launch has one more dimension, or is as long as there are elements,
and neighbours have neighbouring elements. What is read before the loop, each thread reads for itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence, Set

from weft.cuda.contents import mentioned_names
from weft.cuda.helpers.text import scalar_of
from weft.cuda.passes.own_checks import described_size, is_divided
from weft.cuda.passes.turns import are_independent, has_own, updates_in
from weft.cuda.traverse import all_expressions, blocks, is_name, nodes_of
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Declare,
    Element,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Remark,
    Return,
    Statement,
    Threads,
    While,
    is_blank,
)
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Array

_MOST_DIMENSIONS = 3
"""With one on each axis of the grid."""


_MOST_COMPONENTS = 4
"""Of those that a thread keeps together unless they are a row of neighbours."""


@dataclasses.dataclass(frozen=True)
class _Turns:
    """A turn of a loop: the coordinates that tell it, what they are below, and what it does."""

    names: list[str]
    dims: tuple[Size, ...]
    body: list[Statement]


def take_one_turn(kernel: Function, launch: Launch, written: Set[str]) -> Launch:
    """Run the pass, and return the launch that the kernel then has. The kernel begins with Threads, and its
    described launch has no blocks of its own. `written` are the leaves that it writes.
    """
    match kernel.body:
        case [Threads(names=names) as threads, *rest] if (
            not launch.inferred and not launch.inferred_dims and all(threads.declares)
        ):
            found = _row(names, rest, launch, written) or _run(names, rest, launch, written)
        case _:
            return launch
    if found is None:
        return launch
    kernel.body = [dataclasses.replace(threads, names=found.names, declares=[]), *found.body]
    return dataclasses.replace(launch, dims=found.dims)


def _row(names: Sequence[str], rest: Sequence[Statement], launch: Launch, written: Set[str]) -> _Turns | None:
    """A turn of a loop over a row, `for column in range(columns)`, after what is read before it."""
    match [one for one in rest if not is_blank(one)]:
        case [*before, For(type=kind, start=Literal(value=0), step=1, stride=None) as loop] if kind == INT:
            size = described_size(loop.stop, launch, written)
            updated = {leaf for leaf, _ in updates_in(loop.body)}
        case _:
            return None
    if (
        size is None
        or len(launch.dims) == _MOST_DIMENSIONS
        or (_counts_components(loop) and not _is_row(loop, names))
        or not all(_is_cheap(one, written) for one in before)
        or not any(has_own(array, loop.name, loop.body) for array in written - updated)
        or not _any_order(loop.name, loop.body, launch, written)
    ):
        return None
    at = len(names) if _is_last(loop.name, names[-1], loop.body) else len(names) - 1
    return _Turns(
        [*names[:at], loop.name, *names[at:]],
        (*launch.dims[:at], size, *launch.dims[at:]),
        [*(one for one in rest if one is not loop), *_returned(loop.body)],
    )


def _counts_components(loop: For) -> bool:
    """Whether a loop has as few turns as a pixel or a point has components."""
    match loop.stop:
        case Literal(value=int(turns)):
            return turns <= _MOST_COMPONENTS
        case _:
            return False


def _is_row(loop: For, names: Sequence[str]) -> bool:
    """Whether all that the turns ask for is an element of the thread's row each: neighbours in memory."""
    row = [*names, loop.name]
    nodes = all_expressions(loop.body)
    elements = [node for node in nodes if isinstance(node, Element)]
    mentions = sum(is_name(node, loop.name) for node in nodes)
    return mentions == sum([getattr(index, "name", "") for index in one.indices] == row for one in elements)


def _run(names: Sequence[str], rest: Sequence[Statement], launch: Launch, written: Set[str]) -> _Turns | None:
    """A turn of `for i in range(tid * 4, min(tid * 4 + 4, count))`, or of `for k in range(4)` with
    `i = tid * 4 + k` and a check that i is below count.
    """
    first: Expression
    match [one for one in rest if not is_blank(one)]:
        case [Declare(name=named, constant=True, value=Binary() as first), For(step=1, stride=None) as loop]:
            begin: Expression = Name(INT, named)
        case [For(step=1, stride=None, start=Binary() as begin) as loop]:
            first = begin
        case [For(start=Literal(value=0), step=1, stride=None, stop=Literal(value=int(many))) as loop]:
            return _round(names, loop, many, launch, written)
        case _:
            return None
    match first, loop.stop:
        case (
            Binary(operator="*", left=Name(name=thread), right=Literal(value=int(many))),
            Call(
                function="min", arguments=[Binary(operator="+", left=left, right=Literal(value=more)), stop]
            ),
        ) if names == [thread] and more == many and loop.start == begin == left:
            own = {thread} | ({begin.name} if isinstance(begin, Name) else set())
            return _of_all(loop.name, own, many, stop, loop.body, launch, written)
        case _:
            return None


def _round(names: Sequence[str], loop: For, many: int, launch: Launch, written: Set[str]) -> _Turns | None:
    match [one for one in loop.body if not is_blank(one)]:
        case [
            Declare(
                name=place,
                constant=True,
                value=Binary(
                    operator="+",
                    left=Binary(operator="*", left=Name(name=thread), right=Literal(value=factor)),
                    right=Name(name=turn),
                ),
            ),
            If(test=Binary(operator="<", left=Name(name=tested), right=stop), body=body, otherwise=[]),
        ] if names == [thread] and factor == many and turn == loop.name and tested == place:
            return _of_all(place, {thread, turn}, many, stop, body, launch, written)
        case _:
            return None


def _of_all(
    place: str,
    others: Collection[str],
    many: int,
    stop: Expression,
    body: list[Statement],
    launch: Launch,
    written: Set[str],
) -> _Turns | None:
    """A turn of all those of a launch whose threads take so `many` each, up to `stop`; it may ask for its
    `place`, not for the `others` that this is made of.
    """
    size = described_size(stop, launch, written)
    if (
        size is None
        or not is_divided(launch, size, many)
        or not mentioned_names(body).isdisjoint(others)
        or not _any_order(place, body, launch, written)
    ):
        return None
    return _Turns([place], (size,), _returned(body))


def _any_order(turn: str, body: list[Statement], launch: Launch, written: Set[str]) -> bool:
    """Whether the turns are independent. Sums of floats in another order are others."""
    floats = {leaf for leaf, call in updates_in(body) if scalar_of(call.type).is_float}
    return are_independent(turn, body, written, () if launch.equality == "bounded" else floats)


def _is_cheap(statement: Statement, written: Set[str]) -> bool:
    """Whether every turn can do it again: it computes little, and reads nothing that a turn writes."""
    match statement:
        case Remark():
            return True
        case Declare(constant=True, type=kind) if not isinstance(kind, Array):
            pass
        case If(body=[Return(values=[])], otherwise=[]):
            pass
        case _:
            return False
    return all(
        not isinstance(node, Call) and not any(is_name(node, leaf.partition(".")[0]) for leaf in written)
        for node in nodes_of([statement])
    )


def _is_last(turn: str, thread: str, body: list[Statement]) -> bool:
    """Whether neighbouring turns rather than neighbouring threads have neighbouring elements."""
    values = {one.name: one.value for one in body if isinstance(one, Declare) and one.constant}
    score = 0
    for node in all_expressions(body):
        if isinstance(node, Element):
            last: Expression | None = node.indices[-1]
            if isinstance(last, Name):
                last = values.get(last.name, last)
            if isinstance(last, Binary) and last.operator == "+":
                last = last.right
            if isinstance(last, Name):
                score += (last.name == turn) - (last.name == thread and len(node.indices) > 1)
    return score >= 0


def _returned(body: list[Statement]) -> list[Statement]:
    """The body of a loop as that of a thread: to go on is to leave."""
    left = [
        Return([], trailing=one.trailing, node=one.node)
        if isinstance(one, Jump) and one.keyword == "continue"
        else one
        for one in body
    ]
    for one in left:
        if not isinstance(one, For | While):
            for inner in blocks(one):
                inner[:] = _returned(inner)
    return left
