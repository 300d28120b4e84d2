"""Pass: a block that adds up one element a thread goes on with more of them where a launch has many blocks.

Before: each block of a user's has an element for each of its threads, adds them up, and makes an atomic.
After: there are no more blocks than keep a GPU busy, whose threads stride, and so there are fewer atomics.
The order of additions is as free as it is for `block_totals`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from weft.cuda.contents import contents
from weft.cuda.grid import Grid, filled_with_blocks
from weft.cuda.passes.first_thread import is_for_first_thread
from weft.cuda.passes.updates import in_turns, is_uniform, reduction_of, updates
from weft.cuda.sizes import rounds_up
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import (
    UINT,
    Assign,
    Call,
    Cast,
    Declare,
    Evaluate,
    For,
    Function,
    If,
    Name,
    Remark,
    is_blank,
)
from weft.cuda.values import is_zero
from weft.launch import Launch
from weft.sizes import Size


def stride_blocks(kernel: Function, launch: Launch, grid: Grid, sizes: Mapping[str, Size]) -> Grid:
    """Run the pass on a kernel of blocks of one dimension, and give the grid that it then has. `sizes` are
    what its parameters are described to be.
    """
    fewer = filled_with_blocks(launch, grid)
    match [one for one in kernel.body if not is_blank(one)]:
        case [
            Declare() as one,
            Declare() as other,
            If() as work,
            Declare(
                value=Call(function="block_reduce_sum" | "block_sum", arguments=[Name() as given])
            ) as total,
            If(body=[Evaluate(value=Call(arguments=[_, Name(name=added)]) as atomic)]) as last,
        ] if fewer is not None and added == total.name and is_for_first_thread(last):
            counter, own = (one, other) if other.name == given.name else (other, one)
            turns = in_turns([counter], [work])
            if turns is None or own.name != given.name or own.constant or not is_zero(own.value):
                return grid
            loop = turns.loop
            free = any(one.call is atomic for group in updates([last], launch).values() for one in group)
            changed = contents(kernel).assigned
            if not (free and is_uniform(atomic, changed) and reduction_of(atomic) == "sum"):
                return grid
            if not _covers(loop, launch, grid, sizes) or not _adds_last(loop, own.name):
                return grid
            kernel.body[:] = [own, loop, Remark(""), total, last]
            return fewer
        case _:
            return grid


def _covers(loop: For, launch: Launch, grid: Grid, sizes: Mapping[str, Size]) -> bool:
    """Whether the blocks of the launch have a thread for each element that the loop goes over, and a thread
    that counts them cannot overflow.
    """
    match loop.stop:
        case Cast(operand=Name(name=name)) if loop.type == UINT and name in sizes:
            return rounds_up(launch.dims[0], sizes[name], grid.block[0])
        case _:
            return False


def _adds_last(loop: For, own: str) -> bool:
    """Whether the last that is done with an element is to keep its value; that is added from now on."""
    mentions = [node for node in all_expressions(loop.body) if isinstance(node, Name) and node.name == own]
    match loop.body:
        case [*_, Assign(target=Name(name=name), operator="") as step] if name == own and len(mentions) == 1:
            loop.body[-1] = dataclasses.replace(step, operator="+")
            return True
        case _:
            return False
