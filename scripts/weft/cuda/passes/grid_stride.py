"""A kernel that is a loop over what there is for each of its threads: the grid is the stride.

`for i in range(tid, count, threads)`, or the same with `while`, is written where a launch has fewer threads
than there is work. Where no turn of the loop depends on another, it does not matter which thread takes it:
the stride can be the number of threads that the grid has, and no thread is too many.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.contents import changed_names
from weft.cuda.passes.turns import are_independent, continues
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import all_expressions, nodes_of
from weft.cuda.tree import INT, Assign, Binary, For, Name, Statement, While, is_blank
from weft.launch import Launch


def strided_loop(
    thread: str, body: Sequence[Statement], launch: Launch, written: set[str]
) -> tuple[For, str] | None:
    """The loop that is all of a kernel's `body`, and the parameter that says how many threads there are. None
    if there is more, if it matters which thread takes a turn, or if `written` arrays may overlap with others.
    """
    loop = _loop(thread, [one for one in body if not is_blank(one)])
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


def _counts_threads(name: str, launch: Launch) -> bool:
    """Whether a parameter is described as the number of threads."""
    values = launch.parameters[name].values if name in launch.parameters else None
    if values is None or values.kind != "size" or launch.inferred_dims:
        return False
    sizes = launch.sizes
    return canonical_size(values.arguments, sizes) == canonical_size(launch.dims[0], sizes)
