"""Pass: where one of a few threads adds up a whole row, a block does.

Before: a launch of one block, of which thread t adds up elements 0 to t, or each of a few threads sums or
scans a long row, one element after the other. After: the threads of a block sum or scan together, by
shuffles; each row has a block, which takes as many elements at a time as it has threads.

Only sums of integers, which are the same in any order. Source: Harris, Sengupta and Owens, "Parallel Prefix
Sum (Scan) with CUDA", with shuffles in each warp.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.contents import contents
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import WARP, Grid, GridAxis
from weft.cuda.traverse import all_expressions, children, clone, is_name, renamed, rewrite, walk
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Conditional,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Remark,
    Statement,
)
from weft.cuda.values import zero
from weft.intrinsics import Effect
from weft.launch import Launch
from weft.types import Scalar

_THREADS = 256
_FEW = 64
"""The most threads of a launch that are better off with a block for each."""

_INT64 = Scalar("int64")
SHUFFLED = (INT, Scalar("uint32"), _INT64, Scalar("uint64"))

_THREAD = Name(INT, "threadIdx.x")


def scan_in_blocks(kernel: Function, launch: Launch, grid: Grid, constants: Mapping[str, Literal]) -> Grid:
    """Run the pass on a kernel whose launch is one block, and give the grid that it then has. `constants` are
    known numbers, by their names.
    """
    threads = grid.block[0]
    if grid.axes or math.prod(grid.block) != threads or not launch_assumptions.lie_apart(launch):
        return grid
    rest, place = kernel.body, None
    if rest and isinstance(rest[0], Declare) and rest[0].constant and rest[0].value == _THREAD:
        place, rest = rest[0], rest[1:]
    if place is None and (threads > 1 or _THREAD in all_expressions(rest)):
        return grid
    at = next((i for i, one in enumerate(rest) if not isinstance(one, Declare | Remark)), len(rest))
    loop = rest[at] if at < len(rest) else None
    if not isinstance(loop, For) or (sums := _sums(kernel, rest[:at], loop)) is None:
        return grid
    if place is not None and threads % WARP == 0 and _scan_before(kernel, place.name, loop, sums):
        return grid
    stop = constants.get(loop.stop.name) if isinstance(loop.stop, Name) else loop.stop
    is_short = isinstance(stop, Literal) and int(stop.value) <= _THREADS
    if threads <= _FEW and not is_short and _share_row(kernel, place, loop, sums):
        return Grid((GridAxis((0,)),), (_THREADS, 1, 1), "")
    return grid


@dataclasses.dataclass(frozen=True)
class _Sums:
    """What a loop adds to a `total` that begins at zero, and what it stores of that, before or after."""

    total: Declare
    adds: Assign
    stores: Assign | None
    exclusive: bool


def _sums(kernel: Function, head: Sequence[Statement], loop: For) -> _Sums | None:
    """What a loop adds up that does nothing else, if it reads nothing that the kernel writes."""
    adds = next((one for one in loop.body if isinstance(one, Assign) and one.operator == "+"), None)
    others = [one for one in loop.body if one is not adds]
    if adds is None or loop.step != 1 or loop.type != INT or len(others) > 1:
        return None
    total = next((one for one in head if isinstance(one, Declare) and is_name(adds.target, one.name)), None)
    if total is None or total.value != zero(total.type) or total.type not in SHUFFLED:
        return None
    stores = None
    for one in others:
        match one:
            case Assign(target=Pointee(), operator="", value=Name(name=total.name)):
                stores = one
            case _:
                return None
    everything = contents(kernel)
    places = [one.target for one in everything.statements if isinstance(one, Assign)]
    written = {one.base.name for one in places if isinstance(one, Pointee) and isinstance(one.base, Name)}
    changed = any(is_name(place, total.name) for place in places if place is not adds.target)
    effects = any(isinstance(node, Call) and node.effect for node in everything.nodes)
    reads = [node.name for node in walk(adds.value) if isinstance(node, Name)]
    plain = all(node.function == "size_t" for node in walk(adds.value) if isinstance(node, Call))
    if changed or effects or not plain or adds.value.type != total.type or {*reads} & {*written, total.name}:
        return None
    return _Sums(total, adds, stores, loop.body[0] is stores)


def _scan_before(kernel: Function, own: str, loop: For, sums: _Sums) -> bool:
    """Let thread t have the sum up to its own element, or of those before it, in place of a loop."""
    inclusive = loop.stop == Binary(INT, "+", Name(INT, own), Literal(INT, 1))
    if sums.stores is not None or loop.start != Literal(INT, 0):
        return False
    if not inclusive and loop.stop != Name(INT, own):
        return False
    total, kind = sums.total, sums.total.type
    part = rewrite(clone(sums.adds.value), lambda node: renamed(node, {loop.name: own}))
    made: list[Statement] = []
    if not inclusive:
        name = fresh("value", contents(kernel).taken)
        made = [Declare(kind, name, part, True, node=sums.adds.node)]
        part = Name(kind, name)
    result: Expression = _collective("block_scan_sum", part)
    if not inclusive:
        result = Binary(kind, "-", result, clone(part))
    made.append(Declare(kind, total.name, result, True, node=total.node, trailing=total.trailing))
    at = kernel.body.index(loop)
    kernel.body[at : at + 1] = made
    kernel.body.remove(total)
    return True


def _collective(name: str, *arguments: Expression) -> Call:
    kind = arguments[0].type
    return Call(kind, name, [*arguments], (name, (kind,)), Effect.COLLECTIVE)


def _share_row(kernel: Function, place: Declare | None, loop: For, sums: _Sums) -> bool:
    """Let a block have the row of each thread, and its first thread do what follows."""
    at = kernel.body.index(loop)
    after = kernel.body[at + 1 :]
    if not all(isinstance(one, Assign) and isinstance(one.target, Pointee) for one in after):
        return False
    first_reads = [*all_expressions(kernel.body[:at]), *walk(loop.start), *walk(loop.stop)]
    if any(isinstance(node, Pointee) for node in first_reads):
        return False
    if any(
        is_name(node, loop.name) for one in (sums.adds.value, sums.stores) for node in _beside_offsets(one)
    ):
        return False
    kind, total, taken = sums.total.type, sums.total.name, contents(kernel).taken
    first = If(Binary(BOOL, "==", clone(_THREAD), Literal(INT, 0)), after, [], divergent=True)
    # The last turn may go beyond an int.
    if sums.stores is None:
        begin: Expression = clone(_THREAD)
        if loop.start != Literal(INT, 0):
            begin = Binary(_INT64, "+", clone(loop.start), begin)
        turns = dataclasses.replace(loop, type=_INT64, start=begin, stride=Name(INT, "blockDim.x"))
        whole = Assign(Name(kind, total), "", _collective("block_reduce_sum", Name(kind, total)))
        lines: list[Statement] = [Remark("The threads of a block share one sum."), turns, whole]
    else:
        start, part, sum_ = (
            fresh(name, taken) for name in ("first", "value", "before" if sums.exclusive else "upto")
        )
        inside = Binary(BOOL, "<", Name(_INT64, loop.name), clone(loop.stop))
        found: Expression = _collective("block_running_sum", Name(kind, part), Name(kind, total))
        if sums.exclusive:
            found = Binary(kind, "-", found, Name(kind, part))
        index = Binary(_INT64, "+", Name(_INT64, start), clone(_THREAD))
        value = Conditional(kind, clone(inside), sums.adds.value, zero(kind))
        stores = dataclasses.replace(sums.stores, value=Name(kind, sum_))
        body: list[Statement] = [
            Declare(_INT64, loop.name, index, True, node=loop.node),
            Declare(kind, part, value, True, node=sums.adds.node),
            Declare(kind, sum_, found, True, node=sums.adds.node),
            If(inside, [stores], [], divergent=True),
        ]
        turns = dataclasses.replace(
            loop, type=_INT64, name=start, body=body, stride=Name(INT, "blockDim.x"), closed=False
        )
        lines = [Remark("The threads of a block scan a row together."), turns]
    if place is not None:
        place.value = Name(INT, "blockIdx.x")
    kernel.body[at:] = [*lines, *([first] if after else [])]
    return True


def _beside_offsets(root: Expression | Statement | None) -> list[Expression]:
    """What an expression is made of, but for the offsets of elements."""
    if isinstance(root, Assign):
        return []
    found: list[Expression] = []
    left = [root] if isinstance(root, Expression) else []
    while left:
        node = left.pop()
        found.append(node)
        left += [] if isinstance(node, Pointee) else children(node)
    return found
