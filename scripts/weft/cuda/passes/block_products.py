"""Pass: where the threads of a plane walk through rows and columns, blocks stage tiles of them.

Before: thread (i, j) walks through row i of one array and column j of another, or row j of it, as in a
product of matrices or in distances between all pairs of points, and so do all others of its row and column.
After: the loop goes from tile to tile (`staged_loops`). A block is a square of threads, each of which stages
an element of both, so that neighbours load what lies side by side, whichever index that is.

Source: CUDA C++ Programming Guide, "Shared Memory".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.conditions import joined, operands
from weft.cuda.contents import assigned_names, contents
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import Grid, with_squares
from weft.cuda.passes.launch_place import number_along
from weft.cuda.passes.staged_loops import Counts, Names, Operand, Staged, checked_work, fits, names_for, stage
from weft.cuda.passes.updates import is_check
from weft.cuda.traverse import (
    all_expressions,
    blocks,
    clone,
    is_name,
    mentions,
    names_of,
    rewrite,
    valued,
    walk,
)
from weft.cuda.tree import (
    BOOL,
    INT,
    AddressOf,
    Binary,
    Call,
    Component,
    Conditional,
    Declare,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Pointee,
    Shared,
    Statement,
)
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Array, Structs, Tile

_SIDE = 16
"""Threads along each side of a block. A loop of no more turns has one tile: caches do as well."""

_REMARK = "Threads of a row, or of a column, read the same elements: the block stages tiles of them."

_X, _Y = Name(INT, "threadIdx.x"), Name(INT, "threadIdx.y")


@dataclasses.dataclass(frozen=True)
class _Coordinate:
    """A coordinate of the thread, which `thread` counts in a block, and the test that it is inside."""

    declared: Declare
    thread: Name
    inside: Expression

    @property
    def name(self) -> str:
        return self.declared.name


@dataclasses.dataclass(frozen=True)
class _Factor:
    """The loads of elements that depend on one coordinate; neighbours along the loop lie `side_by_side`, or
    neighbours along the coordinate do.
    """

    coordinate: _Coordinate
    side_by_side: bool
    loads: list[Pointee]


def share_products(
    kernel: Function,
    launch: Launch,
    grid: Grid,
    written: Collection[str],
    sizes: Mapping[str, Size],
    structs: Structs,
) -> Grid:
    """Run the pass on a kernel whose launch has two dimensions, and give the grid that it then has. `written`
    are the leaves that the kernel writes, `sizes` what its parameters are described as.
    """
    squares = None if launch.inferred_dims else with_squares(launch, grid, _SIDE)
    if squares is None or (work := checked_work(kernel)) is None:
        return grid
    if min(launch_assumptions.largest(launch, dim) for dim in launch.dims) < _SIDE:
        return grid
    head, check = work
    if len(grid.axes) < len(squares.axes):
        head, check = _on_plane(head, check, squares, launch)
    coordinates = _coordinates(head, check.test)
    if len(coordinates) < 2:
        return grid
    everything = contents(kernel)
    fixed = {name: size for name, size in sizes.items() if name not in everything.assigned}
    counts = Counts(launch, fixed)
    arrays = {
        name
        for name, kind in kernel.parameters
        if isinstance(kind, Array) and launch_assumptions.is_only_read(launch, name, written)
    }
    found = [
        (one, factors)
        for one in check.body
        if isinstance(one, For) and (factors := _factors(one, counts, arrays, coordinates))
    ]
    names = names_for(launch, _SIDE, everything.taken)
    loops = [_staged(loop, factors, names, everything.taken) for loop, factors in found]
    if not loops or not fits(loops, structs):
        return grid
    kernel.body = stage(head, check, loops, names, _REMARK)
    return squares


def _on_plane(head: Sequence[Statement], check: If, grid: Grid, launch: Launch) -> tuple[list[Statement], If]:
    """The coordinates on a grid of two dimensions, in place of those of blocks that span the last one, which
    begin a kernel, and their check.
    """
    letters = {axis.threads: letter for letter, axis in zip("xyz", grid.axes, strict=False)}
    (last,) = (axis.dims[0] for axis in grid.axes if axis.threads == _X.name[-1])
    lines, test = [], check.test
    for one in head:
        thread = next((axis for axis in letters if mentions([one], f"threadIdx.{axis}")), "")
        if isinstance(one, Declare) and thread:
            one = dataclasses.replace(one, value=number_along(letters[thread], thread))
            if thread == _X.name[-1]:
                extent = _written(check.body, launch_assumptions.largest(launch, launch.dims[last]))
                test = joined([test, Binary(BOOL, "<", Name(INT, one.name), extent)])
        lines.append(one)
    return lines, dataclasses.replace(check, test=test)


def _written(body: list[Statement], value: int) -> Expression:
    """An extent as it is written elsewhere, with the name of its size."""
    found = (one for one in all_expressions(body) if isinstance(one, Literal) and one.size)
    return clone(next((one for one in found if one.value == value), Literal(INT, value)))


def _coordinates(head: Sequence[Statement], test: Expression) -> list[_Coordinate]:
    """The coordinates of a thread, if there is nothing else that keeps it from work."""
    tests, found = operands(test), []
    for one in head:
        threads = [thread for thread in (_X, _Y) if mentions([one], thread.name)]
        if isinstance(one, Declare) and one.constant and len(threads) == 1:
            inside = [check for check in tests if is_check(check, {one.name})]
            found += [_Coordinate(one, threads[0], inside[0])] if len(inside) == 1 else []
    return found if len(tests) == len(found) else []


def _factors(
    loop: For, counts: Counts, arrays: Collection[str], coordinates: Sequence[_Coordinate]
) -> list[_Factor]:
    """The factors of a loop, at least one for each coordinate, if each turn loads one element of each and of
    nothing else.
    """
    changed = {loop.name, *assigned_names(loop.body)}
    if counts.most(loop) <= _SIDE or loop.name in assigned_names(loop.body):
        return []
    if any(blocks(one) or isinstance(one, Jump) for one in loop.body):
        return []
    factors: dict[tuple[str, str], _Factor] = {}
    for node in all_expressions(loop.body):
        if not isinstance(node, Pointee) or not any(
            is_name(one, name) for one in walk(node) for name in changed
        ):
            continue
        factor = _factor(node, loop.name, coordinates, counts.fixed)
        if factor is None or not isinstance(node.base, Name) or node.base.name not in arrays:
            return []
        factors.setdefault((node.base.name, repr(node.offset)), factor).loads.append(node)
    if any(map(_is_choice, all_expressions(loop.body))):
        return []
    # Several elements of one array would need as many tiles, whose loads cost what they save.
    tiles = {(array, factor.coordinate.name) for (array, _), factor in factors.items()}
    threads = {factor.coordinate.thread.name for factor in factors.values()}
    return list(factors.values()) if len(threads) == 2 and len(tiles) == len(factors) else []


def _is_choice(node: Expression) -> bool:
    """Whether an expression may leave out loads, or takes their addresses."""
    choice = isinstance(node, Conditional) or (isinstance(node, Binary) and node.operator in ("&&", "||"))
    return isinstance(node, AddressOf) or (choice and any(isinstance(one, Pointee) for one in walk(node)))


def _factor(
    load: Pointee, counter: str, coordinates: Sequence[_Coordinate], fixed: Collection[str]
) -> _Factor | None:
    """What a load is, if its place follows from a coordinate, the counter of a loop and sizes."""
    names = names_of(walk(load.offset))
    own = [one for one in coordinates if one.name in names]
    if len(own) != 1 or load.address or not names <= {counter, own[0].name, *fixed}:
        return None
    if not all(
        isinstance(one, Name | Literal | Binary)
        or (isinstance(one, Call) and one.function in ("size_t", "int64_t"))
        for one in walk(load.offset)
    ):
        return None
    match load.offset:
        case Binary(operator="+", right=Name(name=name), left=left):
            other = names_of(walk(left))
            if name not in other and name in (counter, own[0].name):
                return _Factor(own[0], name == counter, [])
    return None


def _staged(loop: For, factors: Sequence[_Factor], names: Names, taken: Collection[str]) -> Staged:
    """The loop, with an element of each factor's tile for each thread. In a tile of a factor whose elements
    lie side by side along the loop, a row is what the loop walks through, in the others a column.
    """
    across, down = fresh("across", taken), fresh("down", taken)
    arrays = [load.base.name for one in factors for load in one.loads[:1] if isinstance(load.base, Name)]
    operands: list[Operand] = []
    coordinates: list[Declare] = []
    for factor, array in zip(factors, arrays, strict=True):
        load, own = factor.loads[0], factor.coordinate
        tile_name = array if arrays.count(array) == 1 else f"{array}_{own.name}"
        shared = fresh(f"shared_{tile_name}", taken)
        counter, thread = (across, _Y) if factor.side_by_side else (down, _X)
        # Threads that lie side by side load what does.
        replaced: dict[str, Expression] = {loop.name: Name(INT, counter)}
        if own.thread.name != thread.name:
            other = fresh(f"loaded_{own.name}", taken)
            replaced[own.name] = Name(INT, other)
            assert own.declared.value is not None
            coordinates.append(
                dataclasses.replace(
                    own.declared,
                    name=other,
                    value=_with(own.declared.value, {own.thread.name: clone(thread)}),
                    trailing="",
                )
            )
        element = names.along(loop.name)
        place = [clone(own.thread), element] if factor.side_by_side else [element, clone(own.thread)]
        padded = factor.side_by_side and own.thread.name == _X.name
        columns = Binary(INT, "+", names.tile, Literal(INT, 1)) if padded else names.tile
        extents: list[Expression] = [names.tile, columns]
        tile = Shared(load.type, shared, (_SIDE, _SIDE), padded=padded, extents=extents, node=loop.node)
        whole = Name(Tile(load.type, (_SIDE, _SIDE)), shared)
        within = Binary(BOOL, "<", Name(INT, counter), clone(loop.stop))
        operands.append(
            Operand(
                factor.loads,
                tile,
                joined([_with(own.inside, replaced), within]),
                dataclasses.replace(load, offset=_with(load.offset, replaced)),
                Component(load.type, whole, "", [clone(_Y), clone(_X)]),
                Component(load.type, whole, "", place),
            )
        )
    used = names_of(one for operand in operands for one in walk(operand.source.offset))
    places = [
        Declare(INT, name, Binary(INT, "+", names.first(), clone(thread)), True)
        for name, thread in ((across, _X), (down, _Y))
        if name in used
    ]
    return Staged(loop, operands, places, coordinates)


def _with(expression: Expression, replaced: Mapping[str, Expression]) -> Expression:
    """A copy of an expression with others in place of names."""
    return rewrite(clone(expression), lambda node: valued(node, replaced))
