"""Pass: where all threads of a launch update one element, the threads of a block first combine their values.

Before: each thread updates the element with an atomic of its own, and all of them queue for one address.
After: each thread combines the values of several elements, the block reduces the results by shuffles, and one
of its threads makes the atomic. The bounds check encloses what it used to skip, since all threads of a block
take part.

Integers have one result in any order, and so have extremes; sums of floats are taken in another order only
where the launch leaves it free. Sources: Harris, "Optimizing Parallel Reduction in CUDA"; Luitjens, "Faster
Parallel Reductions on Kepler".
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.conditions import joined
from weft.cuda.contents import contents
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import WARP, Grid, filled
from weft.cuda.helpers.blocks import RESULTS, SEVERAL, reduction, reductions
from weft.cuda.passes.launch_place import strides_grid
from weft.cuda.passes.updates import (
    Total,
    Update,
    counted_by,
    identity,
    in_names,
    in_turns,
    is_uniform,
    shared_work,
    updates,
)
from weft.cuda.traverse import all_expressions, own_nodes, place_of, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Component,
    Conditional,
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
    Statement,
    Table,
    While,
)
from weft.intrinsics import Effect
from weft.launch import Launch
from weft.types import Tile, Type

_LARGEST = 32
"""Elements that one kernel updates so: each takes a register, and a warp's share of shared memory."""


def reduce_in_blocks(kernel: Function, launch: Launch, written: Collection[str], grid: Grid) -> Grid:
    """Run the pass on a kernel of blocks of whole warps, each thread of which may be beyond the launch, and
    give the grid that it then has. `written` are the leaves that the kernel writes.
    """
    threads, taken = math.prod(grid.block), contents(kernel).taken
    if threads % WARP or (work := shared_work(kernel)) is None:
        return grid
    dimensions = grid.dimensions if threads > WARP else 0
    head, rest = work
    fewer = filled(launch, grid)
    turns = in_turns(head, rest, *fewer.filled_axis) if fewer else None
    if fewer and turns and (totals := _totals(kernel, turns.rest, launch, written)):
        kernel.body = [*turns.head, *_reduced(turns.rest, totals, dimensions, taken)]
        return counted_by(turns.loop, fewer)
    if totals := _totals(kernel, rest, launch, written):
        kernel.body = [*head, *_reduced(rest, totals, dimensions, taken)]
    return grid


def _totals(
    kernel: Function, rest: Sequence[Statement], launch: Launch, written: Collection[str]
) -> list[Total]:
    """The elements that all threads may update by way of their blocks."""
    everything, found = contents(kernel), list[list[Update]]()
    changed, taken, mentions = everything.assigned, everything.taken, everything.mentions
    groups = updates(rest, launch)
    often = Counter(array for (array, _), group in groups.items() for _ in group)
    for (array, _), group in groups.items():
        if (
            mentions[array] == often[array]
            and len({one.call.function for one in group}) == 1
            and is_uniform(group[0].call, changed)
            and (not launch_assumptions.may_overlap(launch, array, written) or _stand_last(rest, group))
        ):
            found.append(group)
    if len(found) > _LARGEST:
        return []
    totals = [
        Total(tuple(group), len(group) > 1 or _in_loop(rest, group), thread, block)
        for group, (thread, block) in zip(found, _names(found), strict=True)
    ]
    return [one for one in totals if not taken & {one.thread, one.together}]


def _names(found: Sequence[Sequence[Update]]) -> Iterator[tuple[str, str]]:
    """What a thread and a block have to add to each element: by the operation if that tells which element it
    is, else by the array, and the place in it.
    """
    operations = [group[0].operation for group in found]
    arrays = [_array(group[0]) for group in found]
    for number, (group, operation, array) in enumerate(zip(found, operations, arrays, strict=True)):
        stem = RESULTS[operation]
        if operations.count(operation) > 1:
            stem = array
            if arrays.count(array) > 1:
                offset = group[0].place.offset
                stem += f"_{offset.value if isinstance(offset, Literal) else number}"
        yield f"thread_{stem}", f"block_{stem}"


def _array(update: Update) -> str:
    assert isinstance(update.place.base, Name)
    return update.place.base.name


def _in_loop(rest: Sequence[Statement], group: Sequence[Update], strides: bool = True) -> bool:
    """Whether one of the updates is in a loop; if `strides`, a grid-stride loop over what stands for other
    threads is one.
    """
    loops = [
        one for one in statements(rest) if isinstance(one, For | While) and (strides or not strides_grid(one))
    ]
    return any(one is update.statement for loop in loops for one in statements(loop.body) for update in group)


def _stand_last(rest: Sequence[Statement], group: Sequence[Update]) -> bool:
    """Whether a thread makes the update after all its other accesses to memory, so that none can tell."""
    if len(group) > 1 or _in_loop(rest, group, strides=False):
        return False
    flat = statements(rest)
    return not any(
        isinstance(node, Pointee) or (isinstance(node, Call) and node.user)
        for statement in flat[place_of(group[0].statement, flat) + 1 :]
        for node in own_nodes(statement)
    )


def _reduced(
    rest: Sequence[Statement], totals: Sequence[Total], dimensions: int, taken: Collection[str]
) -> list[Statement]:
    """The statements, which keep what a thread has; then the reductions of blocks of so many dimensions, none
    if they are warps, and the atomics of one thread.
    """
    if (alone := _only_update(rest, totals)) is not None:
        rest, held = [], {totals[0].thread: alone}
    else:
        rest, held = _last_updates(rest, totals)
    changed = [total for total in totals if total.thread not in held]
    lines: list[Statement] = [*(total.begun() for total in changed), *in_names(rest, changed)]
    # A variable that the kernel has is as good as one of the pass.
    given = [one.value.name for one in held.values() if isinstance(one.value, Name)]
    for name, one in held.items():
        if isinstance(one.value, Name) and given.count(one.value.name) == 1:
            own = one.value.name
            totals = [dataclasses.replace(t, thread=own) if t.thread == name else t for t in totals]
        else:
            lines.append(one)
    reductions, values = _reductions(totals, dimensions, taken)
    others = any(isinstance(node, Call) and node.effect & Effect.ATOMIC for node in all_expressions(lines))
    each, place = ("", "one address") if len(totals) == 1 else (" for each total", "the same addresses")
    remark = Remark(
        f"Atomics of all threads would serialize on {place}: each block makes one{each}."
        if others
        else f"One atomic per block{each}: one per thread would serialize on {place}."
    )
    lines += [Remark(""), remark, *reductions]
    places = [Name(INT, f"threadIdx.{axis}") for axis in "xyz"[: max(dimensions, 1)]]
    tests: list[Expression] = [Binary(BOOL, "==", place, Literal(INT, 0)) for place in places]
    first = joined(tests)
    by_one: list[Statement] = [total.first.by(value) for total, value in zip(totals, values, strict=True)]
    return [*lines, If(first, by_one, [], divergent=True)]


def _reductions(
    totals: Sequence[Total], dimensions: int, taken: Collection[str]
) -> tuple[list[Statement], list[Expression]]:
    """The reductions, those of one kind together, and what each element is updated by."""
    taken = {*taken, *(one.together for one in totals)}
    kinds: dict[tuple[str, Type], list[Total]] = {}
    for total in totals:
        kinds.setdefault((total.first.operation, total.type), []).append(total)
    lines: list[Statement] = []
    values: dict[str, Expression] = {}
    for (operation, kind), group in kinds.items():
        node = group[0].node
        if len(group) == 1 or not dimensions:
            helper = reduction(operation, dimensions), (kind,)
            for total in group:
                name = reduction(operation, min(dimensions, 1))
                value = Call(kind, name, [Name(kind, total.thread)], helper)
                lines.append(Declare(kind, total.together, value, True, node=node))
                values[total.thread] = Name(kind, total.together)
            continue
        tile = Tile(kind, (len(group),))
        arrays = {_array(one.first) for one in group}
        stem = min(arrays) if len(arrays) == 1 else SEVERAL[operation]
        several = Name(tile, fresh(f"block_{stem}", taken))
        taken = {*taken, several.name}
        lines.append(Table(kind, several.name, [Name(kind, one.thread) for one in group], False, node=node))
        helper = reductions(operation, dimensions), (tile,)
        lines.append(Evaluate(Call(INT, reductions(operation, 1), [several], helper), node=node))
        for number, one in enumerate(group):
            values[one.thread] = Component(kind, several, "", [Literal(INT, number)])
    return lines, [values[total.thread] for total in totals]


def _last_updates(
    rest: Sequence[Statement], totals: Sequence[Total]
) -> tuple[Sequence[Statement], dict[str, Declare]]:
    """The statements without those updates of one element each that every thread makes last of all, and what
    it has for these.
    """
    single = {id(total.first.statement): total for total in totals if not total.repeated}
    held: dict[str, Declare] = {}
    while rest:
        match rest[-1]:
            case Evaluate(value=Call() as call, trailing="") as last if id(last) in single:
                total = single[id(last)]
                held = {
                    total.thread: Declare(call.type, total.thread, call.arguments[1], True, node=last.node),
                    **held,
                }
                rest = rest[:-1]
            case _:
                break
    return rest, held


def _only_update(rest: Sequence[Statement], totals: Sequence[Total]) -> Declare | None:
    """What a thread has, where an update is all that it does: `i < n ? value : 0`."""
    match rest, totals:
        case [If(test=test, body=[Evaluate(value=Call() as call) as body], otherwise=[]) as only], [total]:
            if call is not total.first.call or body.trailing or only.trailing:
                return None
            value = Conditional(
                call.type, test, call.arguments[1], identity(total.first.operation, call.type)
            )
            return Declare(call.type, total.thread, value, True, node=body.node)
        case _:
            return None
