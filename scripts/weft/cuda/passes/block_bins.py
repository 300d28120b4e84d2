"""Pass: where threads add to the few elements of an array, as in a histogram, a block adds to its own first.

Before: each thread adds with an atomic in global memory, and the threads of all blocks queue for a few
addresses. After: a block clears bins in shared memory, its threads add to those, and one thread a bin adds
what came together to the array. The bounds check encloses what it used to skip, since all threads reach the
barriers.

Only an array of far fewer bins than a block has elements is worth the flush. The order of additions is as
free as it is for `block_totals`. Source: Sakharnykh, "Fast Histograms Using Shared Atomics on Maxwell".
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.contents import contents
from weft.cuda.grid import Grid, with_several_elements
from weft.cuda.passes.updates import in_turns, is_uniform, reduction_of, shared_work, updates
from weft.cuda.tiles.loops import barrier
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Declare,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Remark,
    Shared,
    Statement,
)
from weft.cuda.values import zero
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Scalar

_ELEMENTS_A_BIN = 4
"""So that a block makes a quarter of the atomics in global memory that its threads would make, or fewer."""


@dataclasses.dataclass(frozen=True)
class _Bins:
    """An array of `count` elements of a type, to which `calls` add, and the name of a block's own bins."""

    array: str
    type: Scalar
    count: int
    calls: tuple[Call, ...]
    own: str


def add_in_blocks(
    kernel: Function, launch: Launch, grid: Grid, written: Collection[str], held: Iterable[Size]
) -> Grid:
    """Run the pass on a kernel of blocks that lie on a grid, and give the grid that it then has.
    `written` are the leaves that the kernel writes, `held` the sizes of which it has a parameter.
    """
    if (work := shared_work(kernel)) is None:
        return grid
    head, rest = work
    found = grid
    if (loop := in_turns(head, rest)) and (fewer := with_several_elements(launch, grid)):
        head, rest, found = [], [loop], fewer
    counts = {name: launch_assumptions.fixed_elements(launch, name, held) for name in written}
    threads = math.prod(grid.block)
    most = threads * math.prod(axis.elements for axis in found.axes) // _ELEMENTS_A_BIN
    few = {name: count for name, count in counts.items() if count is not None and 1 < count <= most}
    bins = _bins(kernel, rest, launch, written, few)
    if not bins:
        return grid
    for one in bins:
        for call in one.calls:
            _place(call).base = Name(_place(call).base.type, one.own)
    taken = contents(kernel).taken
    thread, declared = _thread(grid.dimensions, taken)
    bin = _free("bin", taken)
    nodes = {id(one.value): one.node for one in statements(rest) if isinstance(one, Evaluate)}
    node = {one.own: nodes[id(one.calls[0])] for one in bins}

    by_bins = functools.partial(_by_bins, bins, threads, thread, bin)
    kernel.body = [
        Remark("Bins of the block, so that it makes one atomic a bin on the array that all blocks share."),
        *(Shared(one.type, one.own, (one.count,), node=node[one.own]) for one in bins),
        *declared,
        *by_bins(lambda one, place: Assign(_bin(one, place), "", zero(one.type), node=node[one.own])),
        barrier(),
        Remark(""),
        *head,
        *rest,
        Remark(""),
        *([] if _have_met(rest, bins) else [barrier()]),
        *by_bins(lambda one, place: Evaluate(_flush(one, place), node=node[one.own])),
    ]
    return found


def _have_met(rest: Sequence[Statement], bins: Sequence[_Bins]) -> bool:
    """Whether all threads of a block have waited for each other, in the sum of a block, since they added."""
    calls = {id(call) for one in bins for call in one.calls}
    for statement in reversed(rest):
        nodes = all_expressions([statement])
        if any(id(node) in calls for node in nodes):
            return False
        if any(
            isinstance(node, Call) and node.helper and node.helper[0].startswith("block_") for node in nodes
        ):
            return True
    return False


def _bins(
    kernel: Function, rest: list[Statement], launch: Launch, written: Collection[str], few: Mapping[str, int]
) -> list[_Bins]:
    """The arrays, of those with few elements, that the kernel only adds to, each thread where it likes."""
    calls: dict[str, list[Call]] = {}
    for (array, _), group in updates(rest, launch).items():
        calls.setdefault(array, []).extend(group)
    everything = contents(kernel)
    mentions = [node.name for node in everything.nodes if isinstance(node, Name)]
    changed, taken = everything.assigned, everything.taken
    found = []
    for array, group in calls.items():
        kind, own = group[0].type, f"shared_{array}"
        if (
            array in few
            and isinstance(kind, Scalar)
            and mentions.count(array) == len(group)
            and all(reduction_of(call) == "sum" for call in group)
            and not all(is_uniform(call, changed) for call in group)
            and not launch_assumptions.may_overlap(launch, array, written)
            and own not in taken
        ):
            found.append(_Bins(array, kind, few[array], tuple(group), own))
    return found


def _place(call: Call) -> Pointee:
    address = call.arguments[0]
    assert isinstance(address, AddressOf) and isinstance(address.place, Pointee)
    return address.place


def _thread(dimensions: int, taken: Collection[str]) -> tuple[Expression, list[Statement]]:
    """The number of a thread in its block, and what declares it."""
    places: list[Expression] = [Name(INT, f"threadIdx.{axis}") for axis in "xyz"[:dimensions]]
    if dimensions == 1:
        return places[0], []
    sizes = [Name(INT, f"blockDim.{axis}") for axis in "xyz"]
    number = functools.reduce(
        lambda outer, axis: Binary(INT, "+", Binary(INT, "*", outer, sizes[axis]), places[axis]),
        reversed(range(dimensions - 1)),
        places[-1],
    )
    name = _free("thread_in_block", taken)
    return Name(INT, name), [Declare(INT, name, number, True)]


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _bin(one: _Bins, thread: Expression) -> Expression:
    return Pointee(one.type, Name(one.type, one.own), thread)


def _by_bins(
    bins: Sequence[_Bins],
    threads: int,
    thread: Expression,
    bin: str,
    work: Callable[[_Bins, Expression], Statement],
) -> list[Statement]:
    """What a thread does for each bin, or for several if a block of so many `threads` has more bins;
    neighbours of as many bins together.
    """
    lines: list[Statement] = []
    for count, group in itertools.groupby(bins, lambda one: one.count):
        if count <= threads:
            test = Binary(BOOL, "<", thread, Literal(INT, count))
            lines.append(If(test, [work(one, thread) for one in group], [], divergent=True))
        else:
            body = [work(one, Name(INT, bin)) for one in group]
            lines.append(For(INT, bin, thread, Literal(INT, count), 1, body, Name(INT, "blockDim.x")))
    return lines


def _flush(one: _Bins, thread: Expression) -> Call:
    """The addition of a block's bin to the array's."""
    first = one.calls[0]
    place = dataclasses.replace(_place(first), base=Name(_place(first).base.type, one.array), offset=thread)
    function = "atomicAdd" if first.function == "atomicSub" else first.function
    return dataclasses.replace(
        first, function=function, arguments=[AddressOf(one.type, place), _bin(one, thread)]
    )
