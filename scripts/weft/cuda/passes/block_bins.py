"""Pass: where threads update the few elements of an array, as in a histogram, a block has its own first.

Before: each thread adds with an atomic in global memory, or keeps the largest or the smallest value there,
and the threads of all blocks queue for a few addresses. After: a block clears bins in shared memory, its
threads update those, and one thread a bin updates the array by what came together. Additions of floats to
shared memory repeat until no other came between, so each warp has bins of its own for them. The bounds check
encloses what it used to skip, since all threads reach the barriers.

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
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import WARP, Grid, filled
from weft.cuda.helpers.text import scalar_of
from weft.cuda.passes.updates import Update, counted_by, identity, in_turns, is_uniform, shared_work, updates
from weft.cuda.tiles.loops import barrier
from weft.cuda.traverse import all_expressions, clone
from weft.cuda.tree import (
    BOOL,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
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
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Scalar, Tile, Vector

_ELEMENTS_A_BIN = 4
"""So that a block makes a quarter of the atomics in global memory that its threads would make, or fewer."""

_MOST_ELEMENTS = 64
_MOST_OF_FLOATS = 8
"""The most elements that a thread is given for that. Additions of floats to shared memory take turns, so that
many bins of them are as well off in global memory.
"""


_MOST_BYTES = 8 * 1024
"""Shared memory of an array's copies, so that a multiprocessor still holds as many blocks as it can."""

_SHARED = "The block counts in bins of its own, and then makes one global atomic per bin."
_COPIED = (
    "Bins of each warp: atomics on floats in shared memory are compare-and-swap loops, slow if contended."
)


WARPS = "warps"
"""The size that is the number of warps of a block."""

NUM_BINS = "num_bins"
"""The size that is the number of bins that nobody has a name for."""


@dataclasses.dataclass(frozen=True)
class _Bins:
    """An array of `count` elements of a type, its `updates`, and the name of a block's own bins, of which
    there may be several `copies`. `size` is the name of the count, if it has one.
    """

    array: str
    type: Scalar | Vector
    count: int
    updates: tuple[Update, ...]
    own: str
    copies: int
    size: str

    @property
    def empty(self) -> Expression:
        """What a bin holds before any update."""
        return identity(self.updates[0].operation, self.type)

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the block's bins."""
        return (self.count,) if self.copies == 1 else (self.copies, self.count)

    @property
    def extents(self) -> list[Expression]:
        """The same as they are written."""
        copies = [Literal(INT, count, size=WARPS) for count in self.shape[:-1]]
        return [*copies, Literal(INT, self.count, size=self.size)]

    def at(self, copy: Expression, bin: Expression) -> Expression:
        """A bin of the block's."""
        if self.copies == 1:
            return Pointee(self.type, Name(self.type, self.own), bin)
        whole = Name(Tile(self.type, self.shape), self.own)
        return Component(self.type, whole, "", [copy, bin])


def add_in_blocks(
    kernel: Function, launch: Launch, grid: Grid, written: Collection[str], held: Iterable[Size]
) -> Grid:
    """Run the pass on a kernel of blocks that lie on a grid, and give the grid that it then has.
    `written` are the leaves that the kernel writes, `held` the sizes of which it has a parameter.
    """
    if (work := shared_work(kernel)) is None:
        return grid
    head, rest = work
    counts = {name: launch_assumptions.fixed_elements(launch, name, held) for name in written}
    threads, fewer = math.prod(grid.block), filled(launch, grid)
    strides = any(axis.filled for axis in grid.axes)
    turns = in_turns(head, rest, *fewer.filled_axis) if fewer and not strides else None
    elements = _MOST_ELEMENTS if fewer and (strides or turns) else 1
    bins = _bins(kernel, turns.rest if turns else rest, launch, written, counts, threads, elements)
    if not bins:
        return grid
    if elements > 1:
        largest = max(one.count for one in bins)
        fewer = filled(launch, grid, -(-largest * _ELEMENTS_A_BIN // threads))
        if fewer is None:
            return grid
        grid = fewer
    if turns:
        head, rest, grid = turns.head, turns.rest, counted_by(turns.loop, grid)
    taken = contents(kernel).taken
    thread, declared = _thread(grid.dimensions, taken)
    bin, copy, warp = (fresh(name, taken) for name in ("bin", "copy", "warp"))
    alone = len(bins) == 1
    totals = {one.own: fresh("bin_total" if alone else f"{one.own}_total", taken) for one in bins}
    copied = any(one.copies > 1 for one in bins)
    if copied:
        declared.append(Declare(INT, warp, Binary(INT, "/", thread, Literal(INT, WARP)), True))
    places = {one.own: one.updates[0].place for one in bins}
    for one in bins:
        for update in one.updates:
            update.call.arguments[0] = AddressOf(one.type, one.at(Name(INT, warp), update.place.offset))
    node = {one.own: one.updates[0].statement.node for one in bins}

    def clear(one: _Bins, bin: Expression) -> list[Statement]:
        first = Assign(one.at(Name(INT, copy), bin), "", one.empty, node=node[one.own])
        return [_for_copies(one, copy, first)] if one.copies > 1 else [first]

    def flush(one: _Bins, bin: Expression) -> list[Statement]:
        own = one.at(Name(INT, copy), bin)
        if one.copies == 1:
            update = Evaluate(_added(one, places[one.own], bin, own), node=node[one.own])
            counts = isinstance(one.type, Scalar) and one.type.is_integer
            if not counts or one.count < threads or one.updates[0].operation != "sum":
                return [update]
            # Some of so many bins of a block may be empty, and an integer's zero changes nothing.
            return [If(Binary(BOOL, "!=", clone(own), one.empty), [update], [], divergent=True)]
        total = totals[one.own]
        of_block = Name(one.type, total)
        return [
            Declare(one.type, total, one.empty),
            _for_copies(one, copy, Assign(of_block, "+", own)),
            Evaluate(_added(one, places[one.own], bin, of_block), node=node[one.own]),
        ]

    by_bins = functools.partial(_by_bins, bins, grid.block, thread, bin)
    kernel.body = [
        Remark(_COPIED if copied else _SHARED),
        *(Shared(one.type, one.own, one.shape, extents=one.extents, node=node[one.own]) for one in bins),
        *declared,
        *by_bins(clear),
        barrier(),
        Remark(""),
        *head,
        *rest,
        Remark(""),
        *([] if _have_met(rest, bins) else [barrier()]),
        *by_bins(flush),
    ]
    return grid


def _for_copies(one: _Bins, copy: str, body: Statement) -> For:
    return For(INT, copy, Literal(INT, 0), Literal(INT, one.copies, size=WARPS), 1, [body])


def _have_met(rest: Sequence[Statement], bins: Sequence[_Bins]) -> bool:
    """Whether all threads of a block have waited for each other, in the sum of a block, since they added."""
    calls = {id(update.call) for one in bins for update in one.updates}
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
    kernel: Function,
    rest: list[Statement],
    launch: Launch,
    written: Collection[str],
    counts: Mapping[str, int | None],
    threads: int,
    elements: int,
) -> list[_Bins]:
    """The arrays of few elements that the kernel only updates in one way, each thread where it likes. A
    thread has so many `elements` at most.
    """
    groups: dict[str, list[Update]] = {}
    for (array, _), group in updates(rest, launch).items():
        groups.setdefault(array, []).extend(group)
    everything, elected = contents(kernel), _elected(rest)
    mentions, changed, taken = everything.mentions, everything.assigned, everything.taken
    found = []
    for array, group in groups.items():
        kind, own, count = group[0].call.type, f"shared_{array}", counts.get(array)
        if count is None or not isinstance(kind, Scalar | Vector):
            continue
        operations = {one.operation for one in group}
        adds_floats = operations == {"sum"} and scalar_of(kind).is_float
        most = threads * (min(elements, _MOST_OF_FLOATS) if adds_floats else elements) // _ELEMENTS_A_BIN
        if (
            1 < count <= most
            and mentions[array] == len(group)
            and len(operations) == 1
            and not all(is_uniform(one.call, changed) or id(one.call) in elected for one in group)
            and not launch_assumptions.may_overlap(launch, array, written)
            and own not in taken
        ):
            warps = threads // WARP
            size_of_all = warps * count * _bytes(kind)
            copied = adds_floats and WARPS not in launch.sizes and size_of_all <= _MOST_BYTES
            size = _name_of_count(launch, array)
            found.append(_Bins(array, kind, count, tuple(group), own, warps if copied else 1, size))
    sizes = {one.size: one.count for one in found}
    return [one if sizes[one.size] == one.count else dataclasses.replace(one, size="") for one in found]


def _elected(rest: Sequence[Statement]) -> set[int]:
    """The expressions of what some threads of a block do for the others."""
    ifs = [one for one in rest if isinstance(one, If) and one.divergent]
    return {id(node) for one in ifs for node in all_expressions(one.body)}


def _bytes(kind: Scalar | Vector) -> int:
    return kind.bytes if isinstance(kind, Scalar) else kind.length * kind.scalar.bytes


def _name_of_count(launch: Launch, array: str) -> str:
    """What the number of an array's elements is called; '' if a size of the launch has the usual name."""
    shape = launch.parameters[array].shape
    if len(shape) == 1 and str(shape[0]).isidentifier():
        return str(shape[0])
    return "" if NUM_BINS in launch.sizes else NUM_BINS


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
    name = fresh("thread_in_block", taken)
    return Name(INT, name), [Declare(INT, name, number, True)]


def _by_bins(
    bins: Sequence[_Bins],
    block: tuple[int, int, int],
    thread: Expression,
    bin: str,
    work: Callable[[_Bins, Expression], list[Statement]],
) -> list[Statement]:
    """What a thread does for each bin, or for several if there are more than threads of a `block`; neighbours
    of as many bins together.
    """
    lines: list[Statement] = []
    threads = math.prod(block)
    sizes: list[Expression] = [
        Name(INT, f"blockDim.{axis}") for axis, size in zip("xyz", block, strict=True) if size > 1
    ]
    stride = functools.reduce(functools.partial(Binary, INT, "*"), sizes)
    for (count, size), group in itertools.groupby(bins, lambda one: (one.count, one.size)):
        if count <= threads:
            body = [line for one in group for line in work(one, clone(thread))]
            test = Binary(BOOL, "<", thread, Literal(INT, count, size=size))
            lines += body if count == threads else [If(test, body, [], divergent=True)]
        else:
            body = [line for one in group for line in work(one, Name(INT, bin))]
            lines.append(For(INT, bin, thread, Literal(INT, count, size=size), 1, body, stride))
    return lines


def _added(one: _Bins, place: Pointee, bin: Expression, value: Expression) -> Call:
    """The update of the array by what a block has of a bin."""
    first = one.updates[0].call
    place = dataclasses.replace(place, offset=clone(bin))
    function = "atomicAdd" if first.function == "atomicSub" else first.function
    return dataclasses.replace(first, function=function, arguments=[AddressOf(one.type, place), value])
