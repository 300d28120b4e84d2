"""A kernel that is a loop over what there is for each of its threads: the grid is the stride.

`for i in range(tid, count, threads)` is written where a launch has fewer threads than there is work. Where no
turn of the loop depends on another, it does not matter which thread takes it: the stride can be the number of
threads that the grid has, and no thread is too many.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.contents import changed_names
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import all_expressions, blocks, nodes_of, statements
from weft.cuda.tree import (
    AddressOf,
    Call,
    Element,
    Evaluate,
    Expression,
    For,
    Jump,
    Name,
    Native,
    Return,
    Statement,
    While,
    is_blank,
)
from weft.intrinsics import Effect
from weft.launch import Launch


def strided_loop(
    thread: str, body: Sequence[Statement], launch: Launch, written: set[str]
) -> tuple[For, str] | None:
    """The loop that is all of a kernel's `body`, and the parameter that says how many threads there are. None
    if there is more, if it matters which thread takes a turn, or if `written` arrays may overlap with others.
    """
    match [one for one in body if not is_blank(one)]:
        case [For(start=Name(name=start), step=1, stride=Name(name=stride)) as loop] if start == thread:
            pass
        case _:
            return None
    parts = [*all_expressions(loop.body), *nodes_of([loop])]
    names = [node.name for node in parts if isinstance(node, Name)]
    if (
        not _counts_threads(stride, launch)
        or launch.inferred
        or names.count(thread) + names.count(stride) != 2
        or loop.name in changed_names(loop.body)
        or _leaves(loop.body)
    ):
        return None
    updates = _updates(loop.body)
    independent = all(
        "." not in array and (_is_own(array, loop, parts) or names.count(array) == updates.count(array))
        for array in written
    )
    return (loop, stride) if independent else None


def _counts_threads(name: str, launch: Launch) -> bool:
    """Whether a parameter is described as the number of threads."""
    values = launch.parameters[name].values if name in launch.parameters else None
    if values is None or values.kind != "size" or launch.inferred_dims:
        return False
    sizes = launch.sizes
    return canonical_size(values.arguments, sizes) == canonical_size(launch.dims[0], sizes)


def _leaves(body: list[Statement], inner: bool = False) -> bool:
    """Whether statements leave the loop round them, or do what nobody sees."""
    for statement in body:
        match statement:
            case Return() | Native():
                return True
            case Jump(keyword="break"):
                return not inner
            case _:
                loops = isinstance(statement, For | While)
                if any(_leaves(block, inner or loops) for block in blocks(statement)):
                    return True
    return False


def _updates(body: list[Statement]) -> list[str]:
    """The arrays that atomics update whose old values nobody asks for, once for each."""
    calls = [
        one.value for one in statements(body) if isinstance(one, Evaluate) and isinstance(one.value, Call)
    ]
    places = [call.arguments[0] for call in calls if call.effect & Effect.ATOMIC and call.arguments]
    return [
        place.place.array.name
        for place in places
        if isinstance(place, AddressOf)
        and isinstance(place.place, Element)
        and isinstance(place.place.array, Name)
    ]


def _is_own(array: str, loop: For, parts: Sequence[Expression]) -> bool:
    """Whether a turn of the loop has elements of its own: the counter is one of their indices."""
    elements = [
        node for node in parts if isinstance(node, Element) and node.array == Name(node.array.type, array)
    ]
    mentions = sum(isinstance(node, Name) and node.name == array for node in parts)
    axes = [
        {
            axis
            for axis, index in enumerate(one.indices)
            if isinstance(index, Name) and index.name == loop.name
        }
        for one in elements
    ]
    return mentions == len(elements) and (not axes or bool(set.intersection(*axes)))
