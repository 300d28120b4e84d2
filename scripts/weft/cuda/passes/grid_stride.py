"""A kernel that is a loop over what there is for each of its threads: the grid is the stride.

`for i in range(tid, count, threads)`, or the same in other words, is written where a launch has fewer threads
than there is work. Where no turn of the loop depends on another, it does not matter which thread takes it:
the stride can be the number of threads that the grid has, and no thread is too many.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.contents import changed_names
from weft.cuda.passes.own_checks import described_size, is_divided
from weft.cuda.passes.turns import are_independent, continues
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import all_expressions, mentions, nodes_of
from weft.cuda.tree import INT, Assign, Binary, Declare, For, If, Literal, Name, Statement, While, is_blank
from weft.launch import Launch


def strided_loop(
    thread: str, body: Sequence[Statement], launch: Launch, written: set[str]
) -> tuple[For, str] | None:
    """The loop that makes up the whole `body` of a kernel, and the parameter that holds the number of
    threads. None if there is more, if it matters which thread takes a turn, or if `written` arrays may
    overlap with others.
    """
    statements = [one for one in body if not is_blank(one)]
    loop = _loop(thread, statements) or _rounds(thread, statements, launch, written)
    if loop is None or launch.inferred:
        return None
    assert isinstance(loop.stride, Name)
    stride = loop.stride.name
    parts = [*all_expressions(loop.body), *nodes_of([loop])]
    names = [node.name for node in parts if isinstance(node, Name)]
    once = names.count(stride) == 1 and (loop.name == thread or names.count(thread) == 1)
    if once and _counts_threads(stride, launch) and are_independent(loop.name, loop.body, written):
        return loop, stride
    return None


def _loop(thread: str, body: list[Statement]) -> For | None:
    """The loop that statements are, if it begins at the thread's place and its stride has a name."""
    match body:
        case [For(start=Name(name=start), step=1, stride=Name()) as loop] if start == thread:
            return loop
        case [
            While(
                test=Binary(operator="<", left=Name(name=name, type=kind), right=stop),
                body=[*turn, Assign(target=Name(name=forward), operator="+", value=Name() as stride)],
            ) as loop
        ] if (
            name == forward == thread
            and kind == INT
            and isinstance(stop, Name)
            and stop.name not in changed_names(turn)
            and not continues(turn)
        ):
            return For(
                kind, name, Name(kind, name), stop, 1, turn, stride, trailing=loop.trailing, node=loop.node
            )
        case _:
            return None


def _rounds(thread: str, body: list[Statement], launch: Launch, written: set[str]) -> For | None:
    """The loop that `for k in range(4)` is with `i = k * threads + tid` and a check that i is below a size,
    if there are as many threads as take four each.
    """
    match body:
        case [
            For(
                name=turn,
                start=Literal(value=0),
                step=1,
                stride=None,
                stop=Literal(value=int(many)),
                body=[
                    Declare(
                        name=name,
                        type=kind,
                        constant=True,
                        value=Binary(
                            operator="+",
                            left=Binary(operator="*", left=Name(name=counted), right=Name() as stride),
                            right=Name(name=begin) as start,
                        ),
                    ),
                    If(test=Binary(operator="<", left=Name(name=tested), right=stop), otherwise=[]) as check,
                ],
            ) as loop
        ] if counted == turn and begin == thread and tested == name and kind == INT:
            size = described_size(stop, launch, written)
            asked = mentions(check.body, turn)
            if size is None or asked or not is_divided(launch, size, many):
                return None
            return For(kind, name, start, stop, 1, check.body, stride, trailing=loop.trailing, node=loop.node)
        case _:
            return None


def _counts_threads(name: str, launch: Launch) -> bool:
    """Whether a parameter is described as the number of threads."""
    size = launch.parameters[name].size if name in launch.parameters else None
    if size is None or launch.inferred_dims:
        return False
    return canonical_size(size, launch.sizes) == canonical_size(launch.dims[0], launch.sizes)
