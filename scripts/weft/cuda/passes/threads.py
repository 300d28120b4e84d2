"""Pass: the kernel begins with the thread's place in the launch.

Before: `tid()` may be called anywhere, or not at all. After: the first statement of the kernel is the only
Threads, with a name for each launch dimension; the bounds check will stand right after it.
"""

from __future__ import annotations

from weft.cuda.contents import assigned_names, contents
from weft.cuda.fresh_names import fresh
from weft.cuda.traverse import blocks, is_name
from weft.cuda.tree import INT, THREAD, Assign, Function, Name, Remark, Statement, Threads
from weft.function_source import FunctionSource

_NAMES = {1: ["thread"], 2: ["row", "column"], 3: ["plane", "row", "column"], 4: ["i", "j", "k", "l"]}


def begin_with_threads(kernel: Function, source: FunctionSource, dimensions: int, blocks: int | None) -> None:
    """Run the pass on the kernel; `blocks` names are a block's place (`tiled` of docs/formats/launch.md),
    and one more is the thread's place in it; None for kernels without tiles.

    Refuses a kernel of which no `tid()` has a name for each launch dimension. One with fewer names gives the
    first coordinates; with tiles, where it may mean a block or a thread of it, it is refused.
    """
    whole = contents(kernel)
    found = [statement for statement in whole.statements if isinstance(statement, Threads)]
    if blocks and dimensions > 3:
        raise source.refusal(source.definition, "a launch with tiles has up to three dimensions")
    if blocks == 0 and dimensions > 1:
        raise source.refusal(
            source.definition, "a launch of threads that share tiles has one dimension: launch it tiled"
        )
    if blocks and found and {len(statement.names) for statement in found} == {dimensions + 1}:
        dimensions += 1
    full = blocks is None and any(len(statement.names) == dimensions for statement in found)
    for statement in found:
        if len(statement.names) != dimensions and not (full and len(statement.names) < dimensions):
            raise source.refusal(
                statement.node or source.definition,
                f"tid() gives {len(statement.names)} names here, but the launch has {dimensions} dimensions",
            )
    asked = [node for node in whole.nodes if is_name(node, THREAD)]
    if asked and dimensions != 1 and not full:
        raise source.refusal(
            source.definition, f"tid() gives one number, but the launch has {dimensions} dimensions"
        )
    if blocks is not None and not found and not asked:
        return
    if len(found) == 1 and not asked and found[0] in kernel.body and _movable(kernel.body, found[0]):
        threads = found[0]
        kernel.body.remove(threads)
        kernel.body.insert(0, threads)
        return
    names = [fresh(name, whole.taken) for name in _NAMES[dimensions]]
    _replace(kernel.body, names)
    for place in asked:
        place.name = names[0]
    kernel.body.insert(0, Threads(names))


def _movable(body: list[Statement], threads: Threads) -> bool:
    """Whether nothing before `threads` assigns its names."""
    before = body[: body.index(threads)]
    if all(isinstance(statement, Remark) for statement in before):
        return True
    return not assigned_names(before) & set(threads.names)


def _replace(block: list[Statement], names: list[str]) -> None:
    """Turn each Threads into plain assignments from `names`, the first of them where it has fewer."""
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            _replace(inner, names)
        if isinstance(statement, Threads):
            copies: list[Statement] = [
                Assign(Name(INT, to), "", Name(INT, name), node=statement.node)
                for to, name in zip(statement.names, names, strict=False)
            ]
            copies[0].trailing = statement.trailing
            block[position : position + 1] = copies
            position += len(copies) - 1
        position += 1
