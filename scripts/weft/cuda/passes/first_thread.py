"""Pass: what the threads of a block make together, and the first alone needs, is made for that one.

Before: a reduction gives all threads of a block its result. After: where the result, and what is computed of
it, only goes to what the first thread does, one warp reduces the values of warps, and the rest is under the
first thread's `if`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from weft.cuda.contents import changed_in_block, mentioned_names
from weft.cuda.helpers.blocks import first_threads
from weft.cuda.passes.effects import has_effect
from weft.cuda.traverse import all_blocks, all_expressions, expressions, walk
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Declare,
    Element,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Statement,
)

_THREAD = Name(INT, "threadIdx.x")


def reduce_for_first_thread(kernel: Function) -> None:
    """Run the pass on a kernel of blocks of one dimension. Of one helper all calls are changed, or none."""
    declared = [one for one in kernel.body if isinstance(one, Declare) and one.constant]
    thread = {_THREAD.name, *(one.name for one in declared if one.value == _THREAD)}
    calls: dict[str, list[Call]] = defaultdict(list)
    for node in all_expressions(kernel.body):
        if isinstance(node, Call) and first_threads(node.function):
            calls[f"{node.helper}"].append(node)
    found: dict[str, list[tuple[list[Statement], Declare, If, list[Declare]]]] = defaultdict(list)
    for block in all_blocks(kernel.body):
        for at, one in enumerate(block):
            match one:
                case Declare(constant=True, value=Call() as call) if first_threads(call.function):
                    if (use := _use(one, block[at + 1 :], thread)) is not None:
                        found[f"{call.helper}"].append((block, one, *use))
    for helper, uses in found.items():
        if len(uses) < len(calls[helper]):
            continue
        for block, one, guard, late in uses:
            assert isinstance(one.value, Call) and one.value.helper is not None
            one.value.function = first_threads(one.value.function)
            one.value.helper = (one.value.function, one.value.helper[1])
            kept = [statement for statement in late if any(statement is other for other in block)]
            block[:] = [statement for statement in block if all(statement is not other for other in kept)]
            guard.body[:0] = kept


def _use(total: Declare, following: list[Statement], thread: set[str]) -> tuple[If, list[Declare]] | None:
    """The first thread's `if` that alone uses a result, and what is computed of the result before."""
    derived, late, passed = {total.name}, list[Declare](), list[Statement]()
    guard: If | None = None
    for one in following:
        if not derived & mentioned_names([one]):
            passed.append(one)
        elif guard is None and isinstance(one, Declare) and _is_computed(one):
            derived.add(one.name)
            late.append(one)
        elif guard is None and isinstance(one, If) and is_for_first_thread(one, thread):
            guard = one
            if changed_in_block(passed) & mentioned_names(late):
                return None
            if any(map(_reads_memory, late)) and not all(map(_is_computed, passed)):
                return None
        else:
            return None
    return None if guard is None else (guard, late)


def _is_computed(one: Statement) -> bool:
    """Whether a statement gives a constant its value and does no more."""
    return isinstance(one, Declare) and one.constant and not any(map(has_effect, expressions(one)))


def _reads_memory(one: Declare) -> bool:
    nodes = [node for root in expressions(one) for node in walk(root)]
    return any(
        isinstance(node, Pointee | Element) or (isinstance(node, Call) and node.user) for node in nodes
    )


def is_for_first_thread(one: If, thread: Collection[str] = (_THREAD.name,)) -> bool:
    """Whether only the first thread takes a branch; `thread` are the names of its number."""
    match one:
        case If(test=Binary(operator="==", left=Name(name=name), right=Literal(value=0)), otherwise=[]):
            return name in thread
        case _:
            return False
