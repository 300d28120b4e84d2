"""Pass: where the lanes of a warp add to one element, the warp adds up what they have first.

Before: `atomicAdd(&sums[row], value)` in a launch of several dimensions, of which none lies on x that `row`
follows from, so that the 32 threads of each row of a block queue for one address. After: a warp, which is
such a row, adds up what its lanes have by shuffles, and its first lane makes the atomic.

The order of additions is as free as it is for `block_totals`. Only additions that every thread inside the
launch makes are moved: of other elements, nobody knows that they are there.
"""

from __future__ import annotations

from collections.abc import Collection

from weft.cuda.conditions import joined, operands
from weft.cuda.grid import WARP, Grid
from weft.cuda.passes.block_columns import EACH_SUM, checked, is_place, sums_of
from weft.cuda.passes.updates import in_names, is_check, shared_work
from weft.cuda.traverse import clone, mentions
from weft.cuda.tree import BOOL, INT, Binary, Call, Declare, Expression, Function, If, Literal, Name, Remark
from weft.launch import Launch

_THREAD = "threadIdx.x"

_REMARK = "One atomic per warp{}: one per lane would serialize on one address."


def add_up_rows(kernel: Function, launch: Launch, written: Collection[str], grid: Grid) -> None:
    """Run the pass on a kernel of blocks whose rows are warps. `written` are the leaves that it writes."""
    if grid.block[0] != WARP or grid.dimensions == 1 or (work := shared_work(kernel)) is None:
        return
    head, rest = work
    declared = [one for one in head if isinstance(one, Declare) and one.constant]
    rows = {one.name for one in declared if not mentions([one], _THREAD)}
    places = {one.name for one in declared if is_place(one)}
    if not any(mentions([one], _THREAD) for one in declared):
        return
    sums = sums_of(kernel, checked(rest, places), launch, written, rows, "warp")
    if not sums:
        return
    tests = operands(rest[0].test) if len(rest) == 1 and isinstance(rest[0], If) else []
    first: Expression = Binary(BOOL, "==", Name(INT, _THREAD), Literal(INT, 0))
    inside = [clone(one) for one in tests if is_check(one, rows)]
    kernel.body = [
        *head,
        *(one.begun() for one in sums),
        *in_names(rest, sums),
        Remark(""),
        Remark(_REMARK.format(EACH_SUM if len(sums) > 1 else "")),
        *(
            Declare(
                one.type,
                one.together,
                Call(one.type, "warp_sum", [one.own()], ("warp_sum", (one.type,))),
                True,
                node=one.node,
            )
            for one in sums
        ),
        If(
            joined([first, *inside]),
            [one.first.by(Name(one.type, one.together)) for one in sums],
            [],
            divergent=True,
        ),
    ]
