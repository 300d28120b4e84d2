"""Pass: the threads of a block that has a row and a column for each are counted along two axes.

Before: a block is a line of threads, and a thread's row and column follow from its number. After: they are
its places along y and x, where the kernel takes the number apart in one way only; so are its first places in
a tile that all threads go through.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from weft.cuda.grid import Grid
from weft.cuda.traverse import all_expressions, blocks, clone, mentions, rewrite_block
from weft.cuda.tree import INT, Binary, Call, Declare, Expression, For, Function, Literal, Name, Statement
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
    if any(_counts_threads(call) or call.user in block_collective for call in calls):
        return grid
    apart = [node for node in nodes if _width(node, thread.name)]
    widths = {_width(node, thread.name) for node in apart}
    if len(widths) != 1 or {node.operator for node in apart if isinstance(node, Binary)} != {"/", "%"}:
        return grid
    (width,) = widths
    if width < _LEAST or grid.block[0] % width:
        return grid
    height = grid.block[0] // width
    rewrite_block(kernel.body, lambda node: _place(node, thread.name))
    _go_by_rows(kernel.body, thread.name, width, height)
    if mentions(kernel.body, thread.name):
        thread.value = Binary(INT, "+", Binary(INT, "*", _ROW, Literal(INT, width)), _THREAD)
    else:
        kernel.body[:] = [one for one in kernel.body if one is not thread]
    return dataclasses.replace(grid, block=(width, height, 1))


def _counts_threads(call: Call) -> bool:
    """Whether threads of a block make a call together, by their numbers in one dimension: a sort, most
    exchanges. A barrier alone, which is given nothing, asks for no number.
    """
    if call.effect & Effect.BARRIER:
        return bool(call.arguments)
    return bool(call.effect & Effect.COLLECTIVE) and call.function not in _BY_SHUFFLES


def _place(node: Expression, thread: str) -> Expression:
    """A thread's row or column in place of the quotient or remainder that it is."""
    if isinstance(node, Binary) and _width(node, thread):
        return clone(_ROW if node.operator == "/" else _THREAD)
    return node


def _go_by_rows(block: list[Statement], thread: str, width: int, height: int) -> None:
    """A loop over rows and one over columns where the threads of a block stride over both at once."""
    for place, statement in enumerate(block):
        for inner in blocks(statement):
            _go_by_rows(inner, thread, width, height)
        match statement:
            case For(
                start=Name(name=start), stop=Literal(value=int(count)), step=step, body=[row, column, *rest]
            ) if start == thread and step == width * height:
                columns = _taken_apart(row, column, statement.name)
                if columns and count % columns == 0 and not mentions(rest, statement.name):
                    assert isinstance(row, Declare) and isinstance(column, Declare)
                    across = For(
                        INT, column.name, _THREAD, Literal(INT, columns), width, rest, node=column.node
                    )
                    block[place] = dataclasses.replace(
                        statement,
                        name=row.name,
                        start=_ROW,
                        stop=Literal(INT, count // columns),
                        step=height,
                        body=[across],
                    )


def _taken_apart(row: Statement, column: Statement, element: str) -> int:
    """The columns of a tile whose row and column two statements make of an element's number; else 0."""
    match row, column:
        case (
            Declare(constant=True, value=Binary(operator="/") as over),
            Declare(constant=True, value=Binary(operator="%") as rest),
        ) if _width(over, element) == _width(rest, element):
            return _width(over, element)
        case _:
            return 0


def _width(node: Expression, thread: str) -> int:
    """The number by which the thread's is divided, 0 for other expressions."""
    match node:
        case Binary(operator="/" | "%", left=Name(name=name), right=Literal(value=int(width))):
            return width if name == thread else 0
        case _:
            return 0
