"""Pass: the threads of a block that has a row and a column for each are counted along two axes.

Before: a block is a line of threads, and a thread's row and column follow from its number. After: they are
its places along y and x, where the kernel takes the number apart in one way only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from weft.cuda.grid import Grid
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import INT, Binary, Call, Declare, Expression, Function, Literal, Name
from weft.intrinsics import Effect

_THREAD = Name(INT, "threadIdx.x")
_ROW = Name(INT, "threadIdx.y")
_LEAST = 8
"""Threads along x that are worth a second axis."""

_BY_SHUFFLES = frozenset(f"{who}_{what}" for who in ("warp", "lanes") for what in ("sum", "min", "max"))
"""Exchanges that ask for no thread's number: the warps of both blocks are the same."""


def shape_block(kernel: Function, grid: Grid, block_collective: Collection[str]) -> Grid:
    """Run the pass on a kernel of blocks of one dimension; returns the grid that it then has. The functions
    of `block_collective` count threads in one dimension, and so do most exchanges.
    """
    nodes = all_expressions(kernel.body)
    thread = next((one for one in kernel.body if isinstance(one, Declare) and one.value == _THREAD), None)
    if thread is None or grid.dimensions > 1 or nodes.count(_THREAD) > 1:
        return grid
    calls = [node for node in nodes if isinstance(node, Call)]
    if any(call.effect & Effect.COLLECTIVE and call.function not in _BY_SHUFFLES for call in calls) or any(
        call.user in block_collective for call in calls
    ):
        return grid
    widths = {width for node in nodes if (width := _width(node, thread.name))}
    if len(widths) != 1:
        return grid
    (width,) = widths
    parts = {
        one.value.operator: one
        for one in kernel.body
        if isinstance(one, Declare) and isinstance(one.value, Binary) and _width(one.value, thread.name)
    }
    if len(parts) < 2 or width < _LEAST or grid.block[0] % width:
        return grid
    parts["/"].value, parts["%"].value = _ROW, _THREAD
    if any(isinstance(node, Name) and node.name == thread.name for node in all_expressions(kernel.body)):
        thread.value = Binary(INT, "+", Binary(INT, "*", _ROW, Literal(INT, width)), _THREAD)
    else:
        kernel.body[:] = [one for one in kernel.body if one is not thread]
    return dataclasses.replace(grid, block=(width, grid.block[0] // width, 1))


def _width(node: Expression, thread: str) -> int:
    """The number by which the thread's is divided, 0 for other expressions."""
    match node:
        case Binary(operator="/" | "%", left=Name(name=name), right=Literal(value=int(width))):
            return width if name == thread else 0
        case _:
            return 0
