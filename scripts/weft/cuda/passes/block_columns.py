"""Pass: where the rows of a block of threads add to one row of elements, the block adds up its columns first.

Before: `atomicAdd(&sums[channel], value)` in a launch of two dimensions, of which `channel` lies on x, so
that as many threads of a block as it has rows update each element. After: each thread adds up what it has of
several rows, the block adds up its columns in shared memory, and its first row makes the atomics.

The order of additions is as free as it is for `block_totals`. Only additions that every thread inside the
launch makes are moved: of other elements, nobody knows that they are there.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.conditions import joined, operands
from weft.cuda.contents import contents
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import WARP, Grid, filled
from weft.cuda.passes.block_bins import WARPS
from weft.cuda.passes.updates import (
    Total,
    counted_by,
    in_names,
    in_turns,
    is_check,
    is_uniform,
    shared_work,
    updates,
)
from weft.cuda.tiles.loops import barrier
from weft.cuda.traverse import clone, mentions
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Component,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Remark,
    Shared,
    Statement,
)
from weft.launch import Launch
from weft.types import Scalar, Tile

_MOST_SUMS = 8
"""So that the shared memory of a block is a small part of what it may have."""

_REMARK = "One atomic per column of the block{}: one per thread would serialize on one address."
EACH_SUM = " and each sum"


def add_up_columns(kernel: Function, launch: Launch, written: Collection[str], grid: Grid) -> Grid:
    """Run the pass on a kernel of blocks of two dimensions, and give the grid that it then has. `written` are
    the leaves that the kernel writes.
    """
    width, height, depth = grid.block
    if depth > 1 or height == 1 or math.prod(grid.block) % WARP or (work := shared_work(kernel)) is None:
        return grid
    head, rest = work
    columns = [one for one in head if isinstance(one, Declare) and mentions([one], "threadIdx.x")]
    if len(columns) != 1 or mentions([columns[0]], "threadIdx.y"):
        return grid
    column = columns[0].name
    fewer, turns = filled(launch, grid), None
    if fewer is not None and fewer.filled_axis[1] == "y":
        turns = in_turns(head, rest, *fewer.filled_axis)
    checks = _checks(rest, column)
    places = {one.name for one in head if isinstance(one, Declare) and is_place(one)}
    found = _sums(kernel, turns.loop.body if turns else checked(rest, places), launch, written, column)
    if not found:
        return grid
    sums = [dataclasses.replace(one, repeated=turns is not None) for one in found]
    # Only a block whose width is that of a warp has a name for its rows.
    rows = Literal(INT, height, size=WARPS if width == WARP and WARPS not in launch.sizes else "")
    extents: list[Expression] = [rows, Literal(INT, width)]
    shape, row = (height, width), fresh("warp" if rows.size else "row", contents(kernel).taken)

    def at(one: Total, place: Expression) -> Component:
        whole = Name(Tile(one.type, shape), one.together)
        return Component(one.type, whole, "", [place, Name(INT, "threadIdx.x")])

    thread_row = Name(INT, "threadIdx.y")
    first: Expression = Binary(BOOL, "==", thread_row, Literal(INT, 0))
    added: list[Statement] = [Assign(one.own(), "+", at(one, Name(INT, row))) for one in sums]
    kernel.body = [
        *(turns.head if turns else head),
        *(one.begun() for one in sums),
        *in_names(turns.rest if turns else rest, sums),
        Remark(""),
        Remark(_REMARK.format(EACH_SUM if len(sums) > 1 else "")),
        *(Shared(one.type, one.together, shape, extents=extents, node=one.node) for one in sums),
        *(Assign(at(one, thread_row), "", one.own(), node=one.node) for one in sums),
        barrier(),
        If(
            joined([first, *map(clone, checks)]),
            [For(INT, row, Literal(INT, 1), rows, 1, added), *(one.first.by(one.own()) for one in sums)],
            [],
            divergent=True,
        ),
    ]
    return counted_by(turns.loop, fewer) if turns and fewer else grid


def _checks(rest: Sequence[Statement], column: str) -> list[Expression]:
    """The check that a thread's column is inside the launch."""
    match rest:
        case [If(test=test, otherwise=[])]:
            return [one for one in operands(test) if is_check(one, {column})]
        case _:
            return []


def is_place(one: Declare) -> bool:
    """Whether this is a coordinate of the thread."""
    return one.constant and any(mentions([one], f"threadIdx.{axis}") for axis in "xyz")


def checked(rest: Sequence[Statement], places: Collection[str]) -> Sequence[Statement]:
    """The work of the threads whose `places` are inside the launch."""
    match rest:
        case [If(body=body, test=test, otherwise=[])] if all(is_check(one, places) for one in operands(test)):
            return body
        case _:
            return rest


def _sums(
    kernel: Function, block: Sequence[Statement], launch: Launch, written: Collection[str], column: str
) -> list[Total]:
    """The rows of elements to which each thread adds once, and that are used in no other way."""
    sums = sums_of(kernel, block, launch, written, {column}, "shared")
    assigned = contents(kernel).assigned
    return [one for one in sums if isinstance(one.type, Scalar) and not is_uniform(one.first.call, assigned)][
        :_MOST_SUMS
    ]


def sums_of(
    kernel: Function,
    block: Sequence[Statement],
    launch: Launch,
    written: Collection[str],
    places: Collection[str],
    stem: str,
) -> list[Total]:
    """The elements to which each thread adds once in a `block` of statements, and that are used in no other
    way, if they follow from `places`. What the threads have together is called by the `stem`.
    """
    everything = contents(kernel)
    mentions, changed, taken = everything.mentions, everything.assigned, everything.taken
    found = []
    for (array, _), group in updates(block, launch).items():
        total = Total(tuple(group), False, f"thread_{array}", f"{stem}_{array}")
        if (
            len(group) == mentions[array] == 1
            and any(one is total.first.statement for one in block)
            and total.first.operation == "sum"
            and is_uniform(total.first.call, changed - {*places})
            and not launch_assumptions.may_overlap(launch, array, written)
            and taken.isdisjoint({total.thread, total.together})
        ):
            found.append(total)
    return found
