"""Pass: where threads that lie side by side read a row and write a column, the block turns a tile of them.

Before: `out[col * height + row] = f(a[row * width + col])`, whose stores lie a column apart. After: a block,
a square of threads, puts what it stores into shared memory, and each thread takes from there what belongs
beside its neighbor's.

Source: Harris, "An Efficient Matrix Transpose in CUDA C/C++".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.c_types import HALVES
from weft.cuda.contents import contents
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import Grid, with_squares
from weft.cuda.helpers.text import scalar_of
from weft.cuda.passes.staged_loops import checked_work, names_for
from weft.cuda.tiles.loops import barrier
from weft.cuda.tiles.registers import SHARED_BYTES
from weft.cuda.traverse import all_expressions, clone, mentions, names_of, rewrite, valued, walk
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Component,
    Declare,
    Expression,
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
from weft.types import Matrix, Scalar, Tile, Vector, packed_bytes

_SIDE = 32
"""Threads along each side of a block, so that a warp reads, and writes, what lies side by side."""

_REMARK = "Rows are read and columns written: a tile in shared memory lets a warp do both side by side."

_X, _Y = Name(INT, "threadIdx.x"), Name(INT, "threadIdx.y")


def transpose_in_tiles(kernel: Function, launch: Launch, grid: Grid) -> Grid:
    """Run the pass on a kernel whose launch has two dimensions, and give the grid that it then has."""
    squares = None if launch.inferred_dims else with_squares(launch, grid, _SIDE)
    if squares is None or not launch_assumptions.lie_apart(launch) or (work := checked_work(kernel)) is None:
        return grid
    if min(launch_assumptions.largest(launch, dim) for dim in launch.dims) < _SIDE:
        return grid
    head, check = work
    match check.body, _coordinate(head, _X), _coordinate(head, _Y):
        case (
            [*before, Assign(target=Pointee(base=Name()) as place, operator="") as store],
            Declare() as x,
            Declare() as y,
        ) if all(isinstance(one, Declare | Remark) for one in before):
            pass
        case _:
            return grid
    reads = [one for one in all_expressions([*before]) if isinstance(one, Pointee)]
    reads += [one for one in walk(store.value) if isinstance(one, Pointee)]
    rows = [_ends_with(one.offset, x.name) for one in reads if x.name in names_of(walk(one.offset))]
    turned = _ends_with(place.offset, y.name) and x.name in names_of(walk(place.offset))
    declared = {one.name for one in before if isinstance(one, Declare)}
    kind = place.type
    if not turned or not rows or not all(rows) or any(one.base == place.base for one in reads):
        return grid
    if declared & names_of(walk(place.offset)) or any(map(_needs_registers, all_expressions(check.body))):
        return grid
    if not isinstance(kind, Scalar | Vector) or scalar_of(kind).name in HALVES or place.address:
        return grid
    if _SIDE * (_SIDE + 1) * packed_bytes(kind, {}) > SHARED_BYTES:
        return grid
    taken = contents(kernel).taken
    side = names_for(launch, _SIDE, taken).tile
    tile, stored_x, stored_y = (
        fresh(name, taken) for name in ("tile", f"stored_{x.name}", f"stored_{y.name}")
    )
    extents: list[Expression] = [side, Binary(INT, "+", clone(side), Literal(INT, 1))]
    whole = Name(Tile(kind, (_SIDE, _SIDE)), tile)
    stored: dict[str, Expression] = {x.name: Name(INT, stored_x), y.name: Name(INT, stored_y)}
    own = Component(kind, whole, "", [clone(_Y), clone(_X)])
    other = Component(kind, clone(whole), "", [clone(_X), clone(_Y)])
    turn: dict[str, Expression] = {_X.name: _Y, _Y.name: _X}
    kernel.body = [
        *head,
        Remark(""),
        Remark(_REMARK),
        Shared(kind, tile, (_SIDE, _SIDE), padded=True, extents=extents, node=store.node),
        If(check.test, [*before, dataclasses.replace(store, target=own)], [], divergent=True),
        barrier(),
        Remark(""),
        *(
            dataclasses.replace(one, name=name, value=_with(one.value, turn), trailing="")
            for one, name in ((x, stored_x), (y, stored_y))
        ),
        If(
            _with(check.test, stored),
            [dataclasses.replace(store, target=_with(place, stored), value=other, trailing="")],
            [],
            divergent=True,
        ),
    ]
    return squares


def _needs_registers(node: Expression) -> bool:
    """Whether a value may take more registers than a thread of so large a block has."""
    return isinstance(node.type, Matrix) or (isinstance(node, Call) and node.user is not None)


def _coordinate(head: Sequence[Statement], thread: Name) -> Declare | None:
    """The coordinate of a thread that its number along one side of the block makes."""
    found = [one for one in head if mentions([one], thread.name)]
    match found:
        case [Declare(constant=True) as one]:
            return one
        case _:
            return None


def _ends_with(offset: Expression, name: str) -> bool:
    """Whether elements for neighbors along a coordinate lie side by side."""
    match offset:
        case Name():
            return offset.name == name
        case Binary(operator="+", left=left, right=Name(name=last)):
            return last == name and name not in names_of(walk(left))
        case _:
            return False


def _with(expression: Expression | None, replaced: Mapping[str, Expression]) -> Expression:
    """A copy of an expression with others in place of names."""
    assert expression is not None
    return rewrite(clone(expression), lambda node: valued(node, replaced))
